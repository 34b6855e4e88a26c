import { z } from 'zod';
import { cleanOptionalText } from './leadFields.ts';
import { listValues, type Question } from './questions.ts';

/** An answer to one of the brand's questions, in the words of the form that asked it. */
export const answer = z
  .object({
    id: z.string().meta({ description: 'The question’s id' }),
    question: z.string().meta({ description: 'The question as the form showed it' }),
    answer: z.string().meta({ description: 'The label of the chosen answer, or the text as typed' }),
  })
  .meta({ id: 'LeadAnswer', description: 'An answer to a question of the brand' });
export type Answer = z.output<typeof answer>;

/** The rule for a question's answer. Nothing is ever wrong with it: what can't be read counts as no answer. */
function givenAnswer(question: Question) {
  const read = (value: string): string | undefined => {
    if (question.kind === 'text') return cleanOptionalText(value, question.lengthMax);
    return listValues(question).includes(value) ? value : undefined;
  };
  return z
    .preprocess(
      (value) => (typeof value === 'string' ? read(value) : undefined),
      answerRule(question).optional(),
    )
    .meta({ description: question.label });
}

/** As the API's document shows it. */
function answerRule(question: Question): z.ZodType<string> {
  return question.kind === 'text' ? z.string().max(question.lengthMax) : z.enum(listValues(question));
}

/**
 * The answers in the body of a lead, by question id. No answer ever refuses a lead: an unknown question, an unknown
 * choice and anything that isn't text are left out, and a text is cut at its limit.
 */
export function givenAnswers(questions: readonly Question[]) {
  const fields = questions.map((question) => [question.id, givenAnswer(question)] as const);
  return z
    .preprocess(
      (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined),
      z.object(Object.fromEntries(fields)).optional(),
    )
    .meta({
      description: 'Answers to the questions of the form, by question id; what can’t be read is ignored',
    });
}
