import { leadFormTexts } from '../brand/leadForm.ts';
import { leadMessages } from '../brand/leadMessages.ts';
import { questions } from '../brand/questions.ts';
import { type Answer, listAnswers } from '../leads/answers.ts';
import { leadCorrectionSchema } from '../leads/correction.ts';
import { leadCreateSchema, type LeadSubmission, requestedProviderId } from '../leads/leads.ts';

/** A lead's body with this brand's messages, which `shared/leads` doesn't import. */
export const leadCreateInput = leadCreateSchema(leadMessages, questions);

/** The answers of a submission, as they are stored. Null: none. */
export function toAnswers({ form, answers }: Pick<LeadSubmission, 'form' | 'answers'>): Answer[] | null {
  if (answers === undefined) return null;
  const listed = listAnswers(questions, leadFormTexts.yesNo, { form, given: answers });
  return listed.length === 0 ? null : listed;
}

/** The input of `leads.create`. The requested provider is ignored on unknown hosts; a provider's host wins. */
export const leadCreateRequest = leadCreateInput.extend({ providerId: requestedProviderId });

/** The `.input()` of `admin.leads.correct`. */
export const leadCorrectInput = leadCorrectionSchema(leadMessages);
