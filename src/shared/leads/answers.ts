import { z } from 'zod';
import { cleanOptionalText } from './leadFields.ts';
import type { FormKey } from './leadForms.ts';
import { listOptions, listValues, type Question, type YesNoLabels } from './questions.ts';

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

/** The text of an answer as the form shows it. Undefined if the question has no such answer. */
function answerText(question: Question, given: string, labels: YesNoLabels): string | undefined {
  if (question.kind === 'text') return given;
  return listOptions(question, labels).find(({ value }) => value === given)?.label;
}

interface GivenAnswers {
  /** The form that the submission names. */
  form: FormKey;
  /** What was given by question id. */
  given: Partial<Record<string, string>>;
}

/**
 * The answers as they are stored: with the question and the answer in the words of the form, so that they read the same
 * after the brand changes. Those to questions that the form doesn't ask are left out. In the brand's order.
 */
export function listAnswers(
  questions: readonly Question[],
  labels: YesNoLabels,
  { form, given }: GivenAnswers,
): Answer[] {
  return questions.flatMap((question) => {
    const { id, forms, label } = question;
    const value = Object.hasOwn(given, id) ? given[id] : undefined;
    if (value === undefined || (form !== 'api' && !forms.includes(form))) return [];
    const text = answerText(question, value, labels);
    return text === undefined ? [] : [{ id, question: label, answer: text }];
  });
}
