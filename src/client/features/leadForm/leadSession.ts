import type { FormKey, LeadCreateInput } from '#shared/leads.ts';
import { browserClock, createFormToken, type FormToken, type FormTokenClock } from './formToken.ts';
import type { LeadFieldErrors } from './fieldMessages.ts';
import type { ConsentedValues } from './leadValues.ts';
import { type Attempt, canRepeat, fingerprintOf, newIdempotencyKey } from './submissionKey.ts';

/** What one call to the server came to. `offline`: no answer arrived, so whether the lead is stored is unknown. */
export type SubmitOutcome =
  | { kind: 'created'; providerId: number | undefined }
  | { kind: 'refused'; message: string | null; fields: LeadFieldErrors }
  | { kind: 'offline' };

/** `scriptMissing`: the code for sending could not be loaded, and the browser's own form post should go through instead. */
export type SessionOutcome = SubmitOutcome | { kind: 'scriptMissing' };

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
export interface LeadSession {
  touch: () => void;
  /** Sends the lead. Null while an earlier call is under way, so a double click sends once. */
  submit: (values: ConsentedValues) => Promise<SessionOutcome> | null;
}

export function createLeadSession(options: LeadSessionOptions): LeadSession {
  const clock = options.clock ?? browserClock;
  let api: Promise<LeadApi> | null = null;
  let lastAttempt: Attempt | null = null;
  let isSending = false;

  function loadedApi(): Promise<LeadApi> {
    api ??= options.loadApi().catch((error: unknown) => {
      api = null;
      throw error;
    });
    return api;
  }

  const formToken = createFormToken(async () => (await loadedApi()).fetchFormToken(options.form), clock);

  async function attemptFor(values: ConsentedValues): Promise<Attempt> {
    const fingerprint = fingerprintOf(values, options.providerId);
    if (canRepeat(lastAttempt, fingerprint, clock.now())) return lastAttempt;
    const token = (await formToken.ready()) ?? options.pageToken;
    const input = { ...values, form: options.form, token, attribution: options.attribution };
    return { idempotencyKey: newIdempotencyKey(), input, fingerprint, startedAtMs: clock.now() };
  }

  async function send(values: ConsentedValues): Promise<SessionOutcome> {
    let loaded: LeadApi;
    try {
      loaded = await loadedApi();
    } catch {
      return options.isOnline() ? { kind: 'scriptMissing' } : { kind: 'offline' };
    }
    const attempt = await attemptFor(values);
    lastAttempt = attempt;
    const { providerId } = options;
    const input = providerId === null ? attempt.input : { ...attempt.input, providerId };
    const outcome = await loaded.createLead(input, attempt.idempotencyKey);
    if (outcome.kind === 'created') lastAttempt = null;
    return outcome;
  }

  return {
    touch: () => {
      if (options.isOnline()) formToken.touch();
    },
    submit: (values) => {
      if (isSending) return null;
      isSending = true;
      return send(values).finally(() => {
        isSending = false;
      });
    },
  };
}
