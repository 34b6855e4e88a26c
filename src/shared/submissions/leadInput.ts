import { leadFormTexts } from '../brand/leadForm.ts';
import { leadMessages } from '../brand/leadMessages.ts';
import { questions } from '../brand/questions.ts';
import { type Answer, listAnswers } from '../leads/answers.ts';
import { leadCorrectionSchema } from '../leads/correction.ts';
import { leadCreateSchema, type LeadSubmission, requestedProviderId } from '../leads/leads.ts';

/**
 * The body of a lead, with this brand's messages. It is not in `shared/leads` because that folder doesn't import the
 * brand.
 */
export const leadCreateInput = leadCreateSchema(leadMessages, questions);

/** The answers of a submission, as they are stored. Null: none. */
export function toAnswers({ form, answers }: Pick<LeadSubmission, 'form' | 'answers'>): Answer[] | null {
  if (answers === undefined) return null;
  const listed = listAnswers(questions, leadFormTexts.yesNo, { form, given: answers });
  return listed.length === 0 ? null : listed;
}

/**
 * The submission with the requested provider, which is ignored on unknown hosts; on a provider's host, that provider wins.
 * The `.input()` of `leads.create`.
 */
export const leadCreateRequest = leadCreateInput.extend({ providerId: requestedProviderId });

/** The `.input()` of `admin.leads.correct`. */
export const leadCorrectInput = leadCorrectionSchema(leadMessages);
