import { getTableColumns } from 'drizzle-orm';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { questions } from '#shared/brand/questions.ts';
import { pickKeys } from '#shared/formats/records.ts';
import type { Answer } from '#shared/leads/answers.ts';
import {
  describeLeadField,
  type LeadField,
  type LeadFieldName,
  leadFields,
  leadFieldTable,
  type LeadOutput,
  listOutputFields,
  optionalLeadFields,
  type OutputField,
  type RequiredLeadField,
} from '#shared/leads/leadFieldTable.ts';
import { listOptions, type Question } from '#shared/leads/questions.ts';
import { type LeadRow, leads } from '#server/db/schema/index.ts';

type Table = typeof leadFieldTable;
/** Each field's column. A column that the table doesn't have is a type error. */
const columns: { [Name in LeadFieldName]: { column: Table[Name]['column'] & keyof LeadRow } } =
  leadFieldTable;

type FieldColumn = Table[LeadField]['column'];
export type LeadFieldRow = Pick<LeadRow, FieldColumn>;

/** `leads.firstName` and the others, to be selected. */
export const leadFieldColumns = pickKeys(
  getTableColumns(leads),
  leadFields.map((field) => columns[field].column),
);

/** The fields of an output by their names in the API. An optional one without a value is left out. */
export type LeadFieldValues<Output extends LeadOutput> = Record<
  Extract<OutputField<Output>, RequiredLeadField>,
  string
> & { [Field in OutputField<Output> as Exclude<Field, RequiredLeadField>]?: string };

/** A lead's fields in an output, in the order of the list. */
export function readLeadFields<Output extends LeadOutput>(
  row: LeadFieldRow,
  output: Output,
): LeadFieldValues<Output>;
export function readLeadFields(row: LeadFieldRow, output: LeadOutput): Record<string, string> {
  const values: [string, string | null][] = listOutputFields(output).map((field) => [
    field,
    row[columns[field].column],
  ]);
  return Object.fromEntries(values.filter((entry): entry is [string, string] => entry[1] !== null));
}

type AnswersRow = Pick<LeadRow, 'answers'>;

/** A lead's answers to the brand's questions in an output. Left out without any. */
export function readAnswers({ answers }: AnswersRow, output: LeadOutput): { answers?: Answer[] } {
  if (answers === null || !leadFieldTable.answers.outputs[output]) return {};
  // Postgres orders the properties of a stored object.
  return { answers: answers.map(({ id, question, answer }) => ({ id, question, answer })) };
}

const asked: readonly Question[] = questions;

/** Whether an answer is the label of a choice. */
function isChosen({ id, answer }: Answer): boolean {
  return asked.some(
    (question) =>
      question.id === id &&
      question.kind !== 'text' &&
      listOptions(question, leadFormTexts.yesNo).some(({ label }) => label === answer),
  );
}

interface OptionalText {
  label: string;
  text: string;
  /** Whether the person typed it. Otherwise it is the brand's. */
  isTyped: boolean;
}

/** The optional fields and the answers of a lead in an output, with the staff's word or the question for each. */
export function listOptionalTexts(row: LeadFieldRow & AnswersRow, output: LeadOutput): OptionalText[] {
  const values: Partial<Record<LeadField, string>> = readLeadFields(row, output);
  const fields = optionalLeadFields.flatMap((field) => {
    const text = values[field];
    return text === undefined ? [] : [{ label: describeLeadField(field).label, text, isTyped: true }];
  });
  const { answers = [] } = readAnswers(row, output);
  return [
    ...fields,
    ...answers.map((answer) => ({
      label: answer.question,
      text: answer.answer,
      isTyped: !isChosen(answer),
    })),
  ];
}

/** Values of a submission as columns of `leads`. */
export function toLeadColumns(values: Readonly<Record<RequiredLeadField, string>>): LeadFieldRow;
export function toLeadColumns(
  values: Readonly<Partial<Record<LeadField, string>>>,
): Record<string, string | null> {
  return Object.fromEntries(leadFields.map((field) => [columns[field].column, values[field] ?? null]));
}
