import type { ComponentProps } from 'react';
import { buildRecord } from '#shared/formats/records.ts';
import {
  describeLeadField,
  type LeadField,
  leadFields,
  type TextFieldDescription,
} from '#shared/leads/leadFieldTable.ts';

type InputSettings = Pick<
  ComponentProps<'input'>,
  'type' | 'autoComplete' | 'autoCapitalize' | 'inputMode' | 'maxLength' | 'spellCheck' | 'enterKeyHint'
>;

/** The ZIP input accepts five characters; scripts may send more. */
const zipInputLength = 5;

/** Keyboards by kind of field. */
const keyboards: Record<TextFieldDescription['kind'], InputSettings> = {
  name: { type: 'text', autoCapitalize: 'words', spellCheck: false },
  email: { type: 'email', inputMode: 'email' },
  phone: { type: 'tel', inputMode: 'tel' },
  zip: { type: 'text', inputMode: 'numeric' },
  text: { type: 'text' },
};

/** Keyboards, autofill and limits of the contact fields. */
export const leadInputs: Record<LeadField, InputSettings> = buildRecord(leadFields, (field) => {
  const { kind, autocomplete, lengthMax } = describeLeadField(field);
  const { type, ...keyboard } = keyboards[kind];
  const isZip = kind === 'zip';
  return {
    type,
    autoComplete: autocomplete,
    ...keyboard,
    maxLength: isZip ? zipInputLength : (lengthMax ?? undefined),
    enterKeyHint: field === leadFields.at(-1) ? 'done' : 'next',
  };
});
