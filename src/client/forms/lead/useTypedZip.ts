import { type InputEvent, useEffect, useState } from 'react';
import { zipInText } from '#shared/leads/zip.ts';
import { keptValue } from './formDraft.ts';
import type { LeadFormController } from './useLeadForm.ts';
import { dropBeforeZip, zipEntered } from './zipEntered.ts';

/** The ZIP in a form's field as soon as it is complete, otherwise null. */
export function useTypedZip({ form, ref, posted }: LeadFormController): {
  zip: string | null;
  onZipInput: (event: InputEvent<HTMLInputElement>) => void;
} {
  const [zip, setZip] = useState(() => zipInText(posted?.values['zip_code'] ?? ''));
  // The browser may have filled in the field before the page was live.
  useEffect(() => {
    const control = ref.current?.elements.namedItem('zip_code');
    const typed = control instanceof HTMLInputElement ? control.value : '';
    setZip((shown) => shown ?? zipInText(typed === '' ? keptValue(form, 'zip_code') : typed));
  }, [ref, form]);
  function onZipInput({ currentTarget }: InputEvent<HTMLInputElement>): void {
    dropBeforeZip(currentTarget);
    const typed = zipInText(currentTarget.value);
    setZip(typed);
    if (typed !== null) zipEntered(form);
  }
  return { zip, onZipInput };
}
