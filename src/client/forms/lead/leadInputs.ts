import type { ComponentProps } from 'react';
import { type LeadField, leadLimits } from '#shared/leads/leadFieldTable.ts';

type InputSettings = Pick<
  ComponentProps<'input'>,
  'type' | 'autoComplete' | 'autoCapitalize' | 'inputMode' | 'maxLength' | 'spellCheck' | 'enterKeyHint'
>;

/**
 * Keyboards, autofill and limits of the contact fields. The ZIP input accepts five characters; scripts may send more.
 */
export const leadInputs: Record<LeadField, InputSettings> = {
  first_name: {
    type: 'text',
    autoComplete: 'given-name',
    autoCapitalize: 'words',
    spellCheck: false,
    maxLength: leadLimits.nameLengthMax,
    enterKeyHint: 'next',
  },
  last_name: {
    type: 'text',
    autoComplete: 'family-name',
    autoCapitalize: 'words',
    spellCheck: false,
    maxLength: leadLimits.nameLengthMax,
    enterKeyHint: 'next',
  },
  email: {
    type: 'email',
    autoComplete: 'email',
    inputMode: 'email',
    maxLength: leadLimits.emailLengthMax,
    enterKeyHint: 'next',
  },
  phone: {
    type: 'tel',
    autoComplete: 'tel',
    inputMode: 'tel',
    enterKeyHint: 'next',
  },
  zip_code: {
    type: 'text',
    autoComplete: 'postal-code',
    inputMode: 'numeric',
    maxLength: 5,
    enterKeyHint: 'done',
  },
};
