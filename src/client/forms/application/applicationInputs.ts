import type { ComponentProps } from 'react';
import { type ApplicationField, applicationLimits } from '#shared/applications/applicationFields.ts';

type InputSettings = Pick<
  ComponentProps<'input'>,
  'type' | 'autoComplete' | 'autoCapitalize' | 'inputMode' | 'maxLength' | 'spellCheck' | 'required'
>;

/**
 * Keyboards, autofill and limits of the one-line fields. The website is text, because the browser's own check requires
 * a scheme.
 */
export const applicationInputs: Record<Exclude<ApplicationField, 'message'>, InputSettings> = {
  practice_name: {
    type: 'text',
    autoComplete: 'organization',
    autoCapitalize: 'words',
    maxLength: applicationLimits.practiceNameLengthMax,
    required: true,
  },
  contact_name: {
    type: 'text',
    autoComplete: 'name',
    autoCapitalize: 'words',
    spellCheck: false,
    maxLength: applicationLimits.nameLengthMax,
    required: true,
  },
  role: {
    type: 'text',
    autoComplete: 'organization-title',
    maxLength: applicationLimits.roleLengthMax,
    required: true,
  },
  email: {
    type: 'email',
    autoComplete: 'email',
    inputMode: 'email',
    maxLength: applicationLimits.emailLengthMax,
    required: true,
  },
  phone: {
    type: 'tel',
    autoComplete: 'tel',
    inputMode: 'tel',
    required: true,
  },
  zip_code: {
    type: 'text',
    autoComplete: 'postal-code',
    inputMode: 'numeric',
    maxLength: applicationLimits.zipLengthMax,
    required: true,
  },
  website: {
    type: 'text',
    autoComplete: 'url',
    autoCapitalize: 'none',
    inputMode: 'url',
    spellCheck: false,
    maxLength: applicationLimits.websiteLengthMax,
  },
};
