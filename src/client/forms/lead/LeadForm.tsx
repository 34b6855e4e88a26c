import type { SubmitEvent, ReactNode } from 'react';
import { styled } from 'styled-components';
import {
  ConsentBox,
  fieldProps,
  FormFrame,
  HiddenFields,
  PrivacyLine,
  SubmitButton,
} from '#client/forms/FormFrame.tsx';
import { useProvider } from '#client/api/tenant.tsx';
import { token } from '#client/theme/tokens.ts';
import { Field } from '#client/ui/Field.tsx';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import { consentTextOf } from '#shared/brand/consentTexts.ts';
import { formCopy, leadDisclosure, leadFormTexts } from '#shared/brand/leadForm.ts';
import { type LeadField, leadFields } from '#shared/leads/leadFieldList.ts';
import { paths } from '#shared/pages/paths.ts';
import { leadInputs } from './leadInputs.ts';
import { type LeadFormController, useLeadForm, usePosted } from './useLeadForm.ts';

export interface LeadFormProps {
  form: 'landing' | 'microsite';
  /** The provider of a microsite. It is not sent from the provider's own host, which the server knows. */
  providerId?: number;
  submitLabel?: string;
}

/**
 * The contact form. Without script it is a plain form post to /api/leads, answered with a redirect or with this page,
 * values and messages.
 */
export function LeadForm({ form, providerId, submitLabel = formCopy.submit }: LeadFormProps) {
  const controller = useLeadForm({ form, copy: formCopy, posted: usePosted(), providerId });
  return (
    <LeadFrame controller={controller} onSubmit={controller.onSubmit}>
      <ContactFields controller={controller} fields={leadFields} />
      <LeadConsentBox controller={controller} />
      <LeadFormEnd controller={controller} submitLabel={submitLabel} />
    </LeadFrame>
  );
}

interface LeadFrameProps {
  controller: LeadFormController;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  children: ReactNode;
}

/** The form element of every lead form, with its hidden fields. */
export function LeadFrame({ controller, onSubmit, children }: LeadFrameProps) {
  const { form, sentProviderId, formToken } = controller;
  return (
    <FormFrame
      controller={controller}
      action={sentProviderId === null ? '/api/leads' : `/api/leads?providerId=${sentProviderId}`}
      data-lead-form={form}
      onSubmit={onSubmit}
    >
      {children}
      <HiddenFields
        values={{ acceptance_message: consentTextOf(form)?.text, form, token: formToken }}
        honeypot="website"
      />
    </FormFrame>
  );
}

interface ContactFieldsProps {
  controller: LeadFormController;
  fields: readonly LeadField[];
}

export function ContactFields({ controller, fields }: ContactFieldsProps) {
  return fields.map((field) => (
    <Field
      key={field}
      {...leadInputs[field]}
      {...fieldProps(controller, field)}
      label={leadFormTexts.labels[field]}
      required
    />
  ));
}

export function LeadConsentBox({ controller }: { controller: LeadFormController }) {
  return <ConsentBox controller={controller} text={consentTextOf(controller.form)?.text} />;
}

interface LeadFormEndProps {
  controller: LeadFormController;
  submitLabel: string;
}

/** Everything under the fields: messages, button and small print. */
export function LeadFormEnd({ controller, submitLabel }: LeadFormEndProps) {
  const labels = {
    submit: submitLabel,
    submitting: controller.copy.submitting,
    tryAgain: leadFormTexts.tryAgain,
  };
  return (
    <>
      <OneLineButton controller={controller} messageId="lead-form-message" labels={labels} />
      <PrivacyLine>
        <span>{leadFormTexts.privacyLine}</span>
      </PrivacyLine>
      <Disclosure />
    </>
  );
}

/** Its links open in a new tab, so that nothing typed is lost. */
function Disclosure() {
  const provider = useProvider();
  if (leadDisclosure === null) return null;
  const text = leadDisclosure.text(provider === null ? leadDisclosure.matched : provider.label);
  return (
    <DisclosureText>
      {text} <NewTabLink href={paths.terms} label={leadDisclosure.termsLabel} />
      <span aria-hidden="true"> · </span>
      <NewTabLink href={paths.privacy} label={leadDisclosure.privacyLabel} />
    </DisclosureText>
  );
}

function NewTabLink({ href, label }: { href: string; label: string }) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {label}
      <VisuallyHidden> ({leadFormTexts.newTab})</VisuallyHidden>
    </a>
  );
}

/** Keeps the label on one line on a narrow phone. */
const OneLineButton = styled(SubmitButton)`
  padding-inline: 0.5rem;
  font-size: clamp(${token.text}, 4.7vw, ${token.textLarge});
`;

const DisclosureText = styled.p`
  color: var(--surface-muted);
  font-size: 0.875rem;
  line-height: 1.55;
  text-wrap: pretty;

  & a {
    color: var(--surface-link);
    white-space: nowrap;
  }
`;
