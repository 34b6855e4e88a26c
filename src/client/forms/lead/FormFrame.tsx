import type { ReactNode, SubmitEvent } from 'react';
import { styled } from 'styled-components';
import { consentTextOf } from '#shared/brand/consentTexts.ts';
import { Honeypot } from '#client/ui/Honeypot.tsx';
import type { LeadFormController } from './useLeadForm.ts';

interface FormFrameProps {
  controller: LeadFormController;
  /** Takes the controller's place where a form has steps. */
  onSubmit?: (event: SubmitEvent<HTMLFormElement>) => void;
  children: ReactNode;
}

/** The form element of every lead form, and what it carries unseen: whole without scripts, a plain post to /api/leads. */
export function FormFrame({ controller, onSubmit, children }: FormFrameProps) {
  const { form, ref, sentProviderId, formToken, onTouch, onInput } = controller;
  return (
    <Form
      ref={ref}
      method="post"
      action={sentProviderId === null ? '/api/leads' : `/api/leads?providerId=${sentProviderId}`}
      data-lead-form={form}
      onSubmit={onSubmit ?? controller.onSubmit}
      onFocus={onTouch}
      onPointerDown={onTouch}
      onInput={onInput}
    >
      {children}
      <input type="hidden" name="acceptance_message" value={consentTextOf(form)?.text} />
      <input type="hidden" name="form" value={form} />
      <input type="hidden" name="token" value={formToken} />
      <Honeypot name="website" />
    </Form>
  );
}

const Form = styled.form`
  position: relative;
  display: grid;
  gap: 1.125rem;
`;
