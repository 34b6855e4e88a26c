import {
  type ConsentValues,
  type EnhancedForm,
  enhanceForm,
  type FormRules,
  type PageListener,
  readConsent,
  textIn,
} from '#client/forms/enhanceForm.ts';
import type { FieldErrors } from '#client/forms/formSession.ts';
import { buildRecord } from '#shared/formats/records.ts';
import { questions } from '#shared/brand/questions.ts';
import { answerName } from '#shared/leads/questions.ts';
import { leadMessages } from '#shared/brand/leadMessages.ts';
import { leadFieldErrors } from '#shared/leads/leadFields.ts';
import { type LeadField, leadFields } from '#shared/leads/leadFieldTable.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import { groupedPhone } from '#shared/leads/phone.ts';
import type { PageFormKey } from '#shared/leads/leadForms.ts';
import { rememberAttribution } from './attribution.ts';
import { keepValues, restoreValues, saveDraft, saveUnsentDraft } from './formDraft.ts';
import type { LeadInput, MatchedId } from './leadApi.ts';
import { announceTouch } from './leadEvents.ts';
import { requestedProvider } from './namedProvider.ts';

/** What a visitor entered and was shown. */
type LeadValues = Record<LeadField, string> &
  ConsentValues & {
    answers: LeadCreateInput['answers'];
    /** The provider named beside the box. Empty if none was. */
    seller_shown: string;
  };

export interface LeadRulesOptions {
  form: PageFormKey;
  /** The provider that the lead is for. Null lets the server match one. */
  providerId: number | null;
  attribution: LeadCreateInput['attribution'];
}

export function leadRules(options: LeadRulesOptions): FormRules<LeadValues, LeadInput, MatchedId> {
  const { form, providerId, attribution } = options;
  return {
    read: readLeadValues,
    findErrors: leadFormErrors,
    toInput: (values, token) => {
      const clock = new Date().toISOString();
      const input = { ...values, form, token, attribution, client_clock: clock };
      return providerId === null ? input : { ...input, providerId };
    },
    computeFingerprint: (values) => computeFingerprint(values, providerId),
    loadApi: async () => {
      announceTouch();
      return (await import('./leadApi.ts')).leadApi(form);
    },
  };
}

/** The answers to the brand's questions by id. Undefined without any: the request is then as it was before questions. */
function readAnswers(data: FormData): LeadCreateInput['answers'] {
  const answers = questions.flatMap(({ id }) => {
    const text = textIn(data, answerName(id));
    return text === '' ? [] : [[id, text] as const];
  });
  return answers.length === 0 ? undefined : Object.fromEntries(answers);
}

export function readLeadValues(data: FormData): LeadValues {
  return {
    ...buildRecord(leadFields, (field) => textIn(data, field)),
    answers: readAnswers(data),
    ...readConsent(data),
    seller_shown: textIn(data, 'seller_shown'),
  };
}

export function leadFormErrors(values: LeadValues): FieldErrors {
  const errors: FieldErrors = leadFieldErrors(values, leadMessages);
  if (values.acceptance_consent) return errors;
  return { ...errors, acceptance_consent: leadMessages.consentRequired };
}

/** What makes another lead: all that the visitor can change, and the provider, but not token and attribution. */
function computeFingerprint(values: LeadValues, providerId: number | null): string {
  const { acceptance_message: _text, seller_shown: _seller, ...entered } = values;
  // The same number: it is grouped once its field is left, which may be between two attempts.
  return JSON.stringify([{ ...entered, phone: groupedPhone(entered.phone) }, providerId]);
}

interface LeadFormPage extends PageListener {
  form: PageFormKey;
  /** The provider of a microsite. Null uses the one that the page's address requests, if any. */
  providerId: number | null;
  pageToken: string;
}

/** Attaches the behavior of a lead form, and keeps what was typed for a visitor who returns from the confirmation. */
export function enhanceLeadForm(element: HTMLFormElement, page: LeadFormPage): EnhancedForm<MatchedId> {
  const { form } = page;
  const providerId = page.providerId ?? requestedProvider(location.search);
  restoreValues(form, element);
  const rules = leadRules({ form, providerId, attribution: rememberAttribution() });
  const enhanced = enhanceForm(element, rules, page);
  const save = (): void => saveDraft(form, element);
  element.addEventListener('input', save);
  const saveAtEnd = (): void => saveUnsentDraft(form, element);
  window.addEventListener('pagehide', saveAtEnd);
  return {
    ...enhanced,
    end() {
      element.removeEventListener('input', save);
      window.removeEventListener('pagehide', saveAtEnd);
      keepValues(form, element);
      enhanced.end();
    },
  };
}
