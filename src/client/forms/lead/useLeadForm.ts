import { useCallback } from 'react';
import { useBoot, useProvider } from '#client/api/tenant.tsx';
import { navigate } from '#client/browser/location.ts';
import type { PageListener } from '#client/forms/enhanceForm.ts';
import { type FormController, useFormController } from '#client/forms/useFormController.ts';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { leadFields } from '#shared/leads/leadFieldTable.ts';
import type { PageFormKey } from '#shared/leads/leadForms.ts';
import type { FormState } from '#shared/pages/boot.ts';
import type { FormCopy } from '#shared/pages/brandContent.ts';
import { successPath } from '#shared/pages/paths.ts';
import { removeDraft } from './formDraft.ts';
import { rememberSent } from './lastSubmission.ts';

export interface LeadFormController extends FormController {
  form: PageFormKey;
  copy: FormCopy;
  formToken: string;
  /** The provider of a microsite on the main site. Null elsewhere. */
  sentProviderId: number | null;
}

interface LeadFormOptions {
  form: PageFormKey;
  copy: FormCopy;
  posted: FormState | null;
  /** The provider of a microsite. It is not sent from the provider's own host, which the server knows. */
  providerId?: number | undefined;
}

/** What a failed plain form post returned to the page that is open. */
export function usePosted(): FormState | null {
  const { page } = useBoot();
  return 'form' in page ? page.form : null;
}

/** The fields of a form that asks for the ZIP first, after it. */
export const fieldsAfterZip = leadFields.filter((field) => field !== 'zip_code');

/** In the order shown. Only a microsite, whose provider is known, asks for the ZIP last. */
function listFields(form: PageFormKey): readonly string[] {
  return [...(form === 'microsite' ? leadFields : ['zip_code', ...fieldsAfterZip]), 'acceptance_consent'];
}

/** Controls one lead form. A stored lead leads to the confirmation. */
export function useLeadForm({ form, copy, posted, providerId }: LeadFormOptions): LeadFormController {
  const { tenant, formToken } = useBoot();
  const provider = useProvider();
  const sentProviderId = tenant === null && providerId !== undefined ? providerId : null;
  const enhance = useCallback(
    async (element: HTMLFormElement, page: PageListener) => {
      const { enhanceLeadForm } = await import('./enhanceLeadForm.ts');
      return enhanceLeadForm(element, { ...page, form, providerId: sentProviderId, pageToken: formToken });
    },
    [form, sentProviderId, formToken],
  );
  const controller = useFormController<number | undefined>({
    fields: listFields(form),
    texts: { ...copy, offline: leadFormTexts.offline },
    posted,
    enhance,
    onCreated: (matchedId) => {
      removeDraft(form);
      rememberSent(matchedId, provider);
      navigate(successPath(matchedId));
    },
  });
  return { ...controller, form, copy, formToken, sentProviderId };
}
