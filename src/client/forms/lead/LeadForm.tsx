import { formCopy } from '#shared/brand/leadForm.ts';
import { leadFields } from '#shared/leads/leadFieldList.ts';
import { ConsentBox, ContactFields } from './ContactFields.tsx';
import { FormEnd } from './FormEnd.tsx';
import { FormFrame } from './FormFrame.tsx';
import { useLeadForm, usePosted } from './useLeadForm.ts';

export interface LeadFormProps {
  form: 'landing' | 'microsite';
  /** The clinic of a microsite. On a clinic's own host it isn't sent: there the server knows it. */
  providerId?: number;
  submitLabel?: string;
}

/**
 * The contact form. It is whole without scripts (a plain post to /api/leads, answered with a redirect or with this page, values and
 * messages); scripts add checks in place, a render token of its own and a way to the next page that survives a bad network.
 */
export function LeadForm({ form, providerId, submitLabel = formCopy.submit }: LeadFormProps) {
  const controller = useLeadForm({ form, copy: formCopy, posted: usePosted(), providerId });
  return (
    <FormFrame controller={controller}>
      <ContactFields controller={controller} fields={leadFields} />
      <ConsentBox controller={controller} />
      <FormEnd controller={controller} submitLabel={submitLabel} />
    </FormFrame>
  );
}
