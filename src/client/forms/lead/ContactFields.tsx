import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Field } from '#client/ui/Field.tsx';
import { consentTextOf } from '#shared/brand/consentTexts.ts';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import type { LeadField } from '#shared/leads/leadFieldList.ts';
import { leadInputs } from './leadInputs.ts';
import type { LeadFormController } from './useLeadForm.ts';

interface ContactFieldsProps {
  controller: LeadFormController;
  fields: readonly LeadField[];
}

/** The fields given, with what a failed plain post brought back. */
export function ContactFields({ controller, fields }: ContactFieldsProps) {
  const { posted, errors, firstWrong } = controller;
  return fields.map((field) => (
    <Field
      key={field}
      {...leadInputs[field]}
      name={field}
      label={leadFormTexts.labels[field]}
      required
      defaultValue={posted?.values[field]}
      error={errors[field]}
      {...focusWhen(field === firstWrong)}
    />
  ));
}

/** Never ticked for anyone: after a failed post only as it was sent. */
export function ConsentBox({ controller }: { controller: LeadFormController }) {
  const { form, posted, errors, firstWrong } = controller;
  return (
    <Checkbox
      name="acceptance_consent"
      value="true"
      label={consentTextOf(form)?.text}
      required
      defaultChecked={posted?.values['acceptance_consent'] !== undefined}
      error={errors.acceptance_consent}
      {...focusWhen(firstWrong === 'acceptance_consent')}
    />
  );
}

/** After a failed plain post the browser itself goes to the first wrong field (or to the button), as no script may be there to do it. */
export function focusWhen(isNeeded: boolean): { autoFocus?: true } {
  return isNeeded ? { autoFocus: true } : {};
}
