import type { PageFormKey } from './leadForms.ts';

interface QuestionBase {
  /** Lowercase letters, digits and `_`. Forms, scripts and stored leads name the question by it: never use it again. */
  id: string;
  /** The forms that show it, above the consent. Scripts may answer every question. */
  forms: readonly PageFormKey[];
  /** As shown, and as stored with each answer. */
  label: string;
}

export interface QuestionOption {
  value: string;
  label: string;
}

/** A question that a brand adds to its lead forms (shared/brand/questions.ts). Nobody has to answer it. */
export type Question = QuestionBase &
  (
    | { kind: 'choice'; options: readonly QuestionOption[] }
    | { kind: 'text'; lengthMax: number }
    | { kind: 'yesNo' }
  );
export type ChipQuestion = Exclude<Question, { kind: 'text' }>;

/** The brand's words for the answers to a yes/no question. */
export interface YesNoLabels {
  yes: string;
  no: string;
}

/** The name of a question's control, also in a plain form post. */
export function answerName(id: string): string {
  return `answers[${id}]`;
}

/** What can be chosen, in the order shown. */
export function listOptions(question: ChipQuestion, { yes, no }: YesNoLabels): readonly QuestionOption[] {
  if (question.kind === 'choice') return question.options;
  return [
    { value: 'yes', label: yes },
    { value: 'no', label: no },
  ];
}

/** What an answer may be, as it is sent. */
export function listValues(question: ChipQuestion): string[] {
  return listOptions(question, { yes: '', no: '' }).map(({ value }) => value);
}
