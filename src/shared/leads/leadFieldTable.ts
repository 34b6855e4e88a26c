import { listKeys } from '../formats/records.ts';

export const leadLimits = {
  nameLengthMax: 100,
  emailLengthMax: 254,
  /** The stored length. The rest is cut off. */
  zipLengthMax: 32,
  messageLengthMax: 2000,
} as const;

/** Where the value of a field goes, besides the database. `export`: the personal data export. */
export type LeadOutput = 'providerEmail' | 'crm' | 'events' | 'csv' | 'drawer' | 'export';

interface FieldDescription {
  /** The staff's word for it. The visitors' is the brand's (shared/brand/leadForm.ts). */
  label: string;
  /** The property of `leads` in db/schema that stores it. */
  column: string;
  /** The longest text that is accepted; null: the kind has its own rule. */
  lengthMax: number | null;
  /** The browser's token for autofill. */
  autocomplete: string;
  /** For the API's document. */
  note: { description: string; example: unknown };
  outputs: Readonly<Record<LeadOutput, boolean>>;
  /** What the erasure of the person does to it. */
  erasure: 'blank' | 'keep';
}

/** A field that every lead has. Its kind decides how it is read, judged and stored (leadFields.ts). */
export interface RequiredField extends FieldDescription {
  required: true;
  kind: 'name' | 'email' | 'phone' | 'zip';
}

/** A field that may be missing (null column, left out of outputs). A longer text is cut, anything else ignored. */
interface OptionalField extends FieldDescription {
  required: false;
  kind: 'text';
  lengthMax: number;
}

/** What a person answered to the brand's questions. Not a line of text: each output has its own form of it. */
interface AnswersField extends FieldDescription {
  required: false;
  kind: 'answers';
}

export type TextFieldDescription = RequiredField | OptionalField;
export type LeadFieldDescription = TextFieldDescription | AnswersField;

const everywhere = {
  providerEmail: true,
  crm: true,
  events: true,
  csv: true,
  drawer: true,
  export: true,
} as const;

/** What all fields have in common that every lead has. */
const ofEachLead = { required: true, outputs: everywhere, erasure: 'blank' } as const;

/**
 * The fields that a person fills in, under their names in the API, in the order they are shown and reported. Forms,
 * drafts, the content of idempotency keys, every output, erasure and the API's document derive from this list.
 */
export const leadFieldTable = {
  first_name: {
    label: 'First name',
    column: 'firstName',
    kind: 'name',
    ...ofEachLead,
    lengthMax: leadLimits.nameLengthMax,
    autocomplete: 'given-name',
    note: { description: 'As typed', example: 'Kit' },
  },
  last_name: {
    label: 'Last name',
    column: 'lastName',
    kind: 'name',
    ...ofEachLead,
    lengthMax: leadLimits.nameLengthMax,
    autocomplete: 'family-name',
    note: { description: 'As typed', example: 'Elmsworth' },
  },
  email: {
    label: 'Email',
    column: 'email',
    kind: 'email',
    ...ofEachLead,
    lengthMax: leadLimits.emailLengthMax,
    autocomplete: 'email',
    note: { description: 'Email address', example: 'kit@example.com' },
  },
  phone: {
    label: 'Phone',
    column: 'phone',
    kind: 'phone',
    ...ofEachLead,
    lengthMax: null,
    autocomplete: 'tel',
    note: {
      description: '10 to 15 digits, any punctuation; an extension or a remark may follow',
      example: '(303) 555-0142',
    },
  },
  zip_code: {
    label: 'Zip Code',
    column: 'zipCode',
    kind: 'zip',
    ...ofEachLead,
    lengthMax: null,
    autocomplete: 'postal-code',
    note: {
      description: `ZIP or ZIP+4, also after a city; anything else is stored unmatched, cut to ${leadLimits.zipLengthMax} characters`,
      example: '80202',
    },
  },
  answers: {
    label: 'Answers',
    column: 'answers',
    kind: 'answers',
    required: false,
    lengthMax: null,
    autocomplete: 'off',
    note: {
      description: 'Answers to the brand’s questions, in the words of the form; left out without any',
      example: [{ id: 'language', question: 'Preferred language', answer: 'Spanish' }],
    },
    outputs: everywhere,
    erasure: 'blank',
  },
} as const satisfies Record<string, LeadFieldDescription>;

type Table = typeof leadFieldTable;
export type LeadFieldName = keyof Table;
/** A field that is one line of text. */
export type LeadField = {
  [Name in LeadFieldName]: Table[Name]['kind'] extends 'answers' ? never : Name;
}[LeadFieldName];
export type RequiredLeadField = {
  [Name in LeadFieldName]: Table[Name]['required'] extends true ? Name : never;
}[LeadFieldName];
export type OptionalLeadField = Exclude<LeadField, RequiredLeadField>;

const leadFieldNames = listKeys(leadFieldTable);

function getKind(name: LeadFieldName): LeadFieldDescription['kind'] {
  return leadFieldTable[name].kind;
}

export const leadFields = leadFieldNames.filter((name): name is LeadField => getKind(name) !== 'answers');

/** What the list says about a field. */
export function describeLeadField(field: LeadField): TextFieldDescription {
  return leadFieldTable[field];
}

/** The fields that are a line of text in an output. */
export type OutputField<Output extends LeadOutput> = {
  [Field in LeadField]: Table[Field]['outputs'][Output] extends true ? Field : never;
}[LeadField];

/** In the order of the list. */
export function listOutputFields<Output extends LeadOutput>(output: Output): readonly OutputField<Output>[] {
  return leadFields.filter((field): field is OutputField<Output> => describeLeadField(field).outputs[output]);
}

export const requiredLeadFields = leadFields.filter(
  (field): field is RequiredLeadField => describeLeadField(field).required,
);
export const optionalLeadFields = leadFields.filter(
  (field): field is OptionalLeadField => !describeLeadField(field).required,
);
