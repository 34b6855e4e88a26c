import { createFormSession, type FormSession, type ScriptMissing } from '#client/forms/formSession.ts';
import type { FormToken, FormTokenClock } from '#client/forms/formToken.ts';
import type { FormKey, LeadCreateInput } from '#shared/leads/leads.ts';
import type { LeadFieldErrors } from './fieldMessages.ts';
import type { ConsentedValues } from './leadValues.ts';

/** What one call to the server came to. `offline`: no answer arrived, so whether the lead is stored is unknown. */
export type SubmitOutcome =
  | { kind: 'created'; providerId: number | undefined }
  | { kind: 'refused'; message: string | null; fields: LeadFieldErrors }
  | { kind: 'offline' };

export type SessionOutcome = SubmitOutcome | ScriptMissing;

/** The calls of a form; leadApi.ts makes them and is loaded when the form is first touched. */
export interface LeadApi {
  fetchFormToken: (form: FormKey) => Promise<FormToken>;
  createLead: (
    input: LeadCreateInput & { providerId?: number },
    idempotencyKey: string,
  ) => Promise<SubmitOutcome>;
}

export interface LeadSessionOptions {
  form: FormKey;
  providerId: number | null;
  /** The render token the page came with; used when no own one can be fetched. */
  pageToken: string;
  loadApi: () => Promise<LeadApi>;
  attribution: LeadCreateInput['attribution'];
  isOnline: () => boolean;
  clock?: FormTokenClock;
}

/** One view of a form: its code, its render token and the key under which its lead is sent. */
export type LeadSession = FormSession<ConsentedValues, SubmitOutcome>;

/** What makes a lead another lead: everything the visitor can change, and the clinic it goes to. Render token and attribution are not part of it. */
function fingerprintOf(input: ConsentedValues, providerId: number | null): string {
  const { first_name, last_name, email, phone, zip_code, acceptance_consent, website } = input;
  return JSON.stringify([
    first_name,
    last_name,
    email,
    phone,
    zip_code,
    acceptance_consent,
    website,
    providerId,
  ]);
}

export function createLeadSession(options: LeadSessionOptions): LeadSession {
  const { form, providerId, attribution, loadApi, ...rest } = options;
  return createFormSession({
    ...rest,
    loadApi: async () => {
      const { fetchFormToken, createLead } = await loadApi();
      return { fetchFormToken: () => fetchFormToken(form), create: createLead };
    },
    inputOf: (values, token) => {
      const input = { ...values, form, token, attribution };
      return providerId === null ? input : { ...input, providerId };
    },
    fingerprintOf: (values) => fingerprintOf(values, providerId),
  });
}
