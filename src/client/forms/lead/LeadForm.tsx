import { type SubmitEvent, type ReactNode, type InputEvent, useEffect, useState } from 'react';
import { styled } from 'styled-components';
import {
  ConsentBox,
  fieldProps,
  FormFrame,
  HiddenFields,
  PrivacyLine,
  SubmitButton,
} from '#client/forms/FormFrame.tsx';
import { EmailField } from '#client/forms/EmailField.tsx';
import { useProvider } from '#client/api/tenant.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Field } from '#client/ui/Field.tsx';
import { CircleCheck } from '#client/ui/Icon.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { getConsentText } from '#shared/brand/consentTexts.ts';
import { formCopy, leadDisclosure, leadFormTexts } from '#shared/brand/leadForm.ts';
import { describeLeadField, type LeadField, leadFields } from '#shared/leads/leadFieldTable.ts';
import { paths } from '#shared/pages/paths.ts';
import { leadInputs } from './leadInputs.ts';
import { MatchPreviewBox, MatchReminder } from './MatchPreviewBox.tsx';
import { fieldsAfterZip, type LeadFormController, useLeadForm, usePosted } from './useLeadForm.ts';
import { useSentRequest } from './lastSubmission.ts';
import { useMatchPreview } from './useMatchPreview.ts';
import { Chips } from './Chips.tsx';
import { questions } from '#shared/brand/questions.ts';
import { answerName, listOptions, type Question } from '#shared/leads/questions.ts';
import { zipInText } from '#shared/leads/zip.ts';
import { keptValue } from './formDraft.ts';
import { dropBeforeZip, findInput, zipEntered } from './zipEntered.ts';

interface LeadFormProps {
  form: 'landing' | 'microsite';
  /** The provider of a microsite. It is not sent from the provider's own host, which the server knows. */
  providerId?: number;
  submitLabel?: string;
}

/** Without script, a plain form post to /api/leads, answered with a redirect or this page, values and messages. */
export function LeadForm({ form, providerId, submitLabel = formCopy.submit }: LeadFormProps) {
  const controller = useLeadForm({ form, copy: formCopy, posted: usePosted(), providerId });
  return (
    <LeadFrame controller={controller} onSubmit={controller.onSubmit}>
      {form === 'landing' ? (
        <ZipFirstFields controller={controller} />
      ) : (
        <>
          <ContactFields controller={controller} fields={leadFields} />
          <Consent controller={controller} />
        </>
      )}
      <LeadFormEnd controller={controller} submitLabel={submitLabel} />
    </LeadFrame>
  );
}

/** The ZIP, then the provider it leads to and everything else, which unfolds once there is a ZIP. */
function ZipFirstFields({ controller }: { controller: LeadFormController }) {
  const { zip, onZipInput } = useTypedZip(controller);
  const preview = useMatchPreview(zip);
  const { phase, message, errors } = controller;
  const [isOpen, setIsOpen] = useState(false);
  const hasTried = phase !== 'idle' || message !== '' || Object.keys(errors).length > 0;
  if (!isOpen && (zip !== null || hasTried)) setIsOpen(true);
  return (
    <div>
      <Field
        {...leadInputs.zip_code}
        {...fieldProps(controller, 'zip_code')}
        enterKeyHint="next"
        label={leadFormTexts.labels.zip_code}
        required
        onInput={onZipInput}
        // As the key's label says.
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || zip === null) return;
          event.preventDefault();
          findInput(controller.ref.current, 'first_name')?.focus();
        }}
        // A button that moved away from under the finger would not be pressed.
        onBlur={({ relatedTarget }) => setIsOpen(isOpen || !(relatedTarget instanceof HTMLButtonElement))}
      />
      <Fold data-open={isOpen ? '' : undefined}>
        <div>
          <div>
            <MatchPreviewBox zip={zip} state={preview} />
            <ContactFields controller={controller} fields={fieldsAfterZip} />
            <MatchReminder zip={zip} state={preview} />
            <Consent controller={controller} />
          </div>
        </div>
      </Fold>
    </div>
  );
}

const formGap = '1.125rem';

/**
 * Folded by CSS only, so that its fields are there for the keyboard, for autofill and for the browser's own checks, and
 * any of these opens it. Until the page is live, a ZIP does so when its field is left. A field that has to be filled in
 * is valid once it is.
 */
const Fold = styled.div`
  display: grid;
  grid-template-rows: 1fr;
  transition: grid-template-rows ${token.transition};

  & > div {
    min-block-size: 0;
    /* Space for the outline of a field that has the focus. */
    margin-inline: -0.5rem;
    padding-inline: 0.5rem;
    overflow: hidden;
  }

  & > div > div {
    display: grid;
    gap: ${formGap};
    /* Below, for the targets of the last links, which are higher than their line. */
    padding-block: ${formGap} 0.75rem;
  }

  @media (scripting: enabled) {
    div:has(> div > [name='zip_code']:is(:invalid, :focus))
      > &:not([data-open], :focus-within, :has(:required:valid)) {
      grid-template-rows: 0fr;
    }
  }

  ${media.reducedMotion} {
    transition: none;
  }
`;

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
      <HiddenFields values={{ acceptance_message: getConsentText(form)?.text, form, token: formToken }} />
    </FormFrame>
  );
}

interface ContactFieldsProps {
  controller: LeadFormController;
  fields: readonly LeadField[];
}

/** The contact fields, and the brand's questions after them. */
export function ContactFields({ controller, fields }: ContactFieldsProps) {
  return (
    <>
      {fields.map((field) => {
        const Input = field === 'email' ? EmailField : Field;
        return (
          <Input
            key={field}
            {...leadInputs[field]}
            {...fieldProps(controller, field)}
            {...labelField(field)}
            hint={
              controller.form === 'microsite' && field === 'zip_code' ? leadFormTexts.zipReason : undefined
            }
          />
        );
      })}
      <LeadQuestions controller={controller} />
    </>
  );
}

/** An optional field says so. */
function labelField(field: LeadField): { label: string; required: boolean } {
  const label = leadFormTexts.labels[field];
  const { required } = describeLeadField(field);
  return { label: required ? label : `${label} ${leadFormTexts.optional}`, required };
}

interface LeadFormEndProps {
  controller: LeadFormController;
  submitLabel: string;
}

/** The box, and the small print about it. */
export function Consent({ controller }: { controller: LeadFormController }) {
  const ageLine: string = leadFormTexts.ageLine;
  return (
    <>
      {ageLine === '' ? null : <p>{ageLine}</p>}
      <ConsentBox controller={controller} text={getConsentText(controller.form)?.text} />
      <Disclosure />
    </>
  );
}

/** Everything after the consent: messages and the button. */
export function LeadFormEnd({ controller, submitLabel }: LeadFormEndProps) {
  const last = useSentRequest();
  const sent = last?.isWithdrawn === true ? null : last;
  const labels = { ...controller.copy, submit: submitLabel, tryAgain: leadFormTexts.tryAgain };
  return (
    <>
      {sent === null ? null : (
        <SentNote>
          <CircleCheck />
          <span>{leadFormTexts.alreadySent(sent.providerName)}</span>
        </SentNote>
      )}
      <OneLineButton
        controller={controller}
        messageId="lead-form-message"
        labels={labels}
        variant={sent === null ? 'primary' : 'secondary'}
      />
      <PrivacyLine>
        <span>{leadFormTexts.privacyLine}</span>
      </PrivacyLine>
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
      {`${text} `}
      <NewTabLink href={paths.terms} label={leadDisclosure.termsLabel} />
      <span aria-hidden="true"> · </span>
      <NewTabLink href={paths.privacy} label={leadDisclosure.privacyLabel} />
    </DisclosureText>
  );
}

function NewTabLink({ href, label }: { href: string; label: string }) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {label}
      <VisuallyHidden>{` (${leadFormTexts.newTab})`}</VisuallyHidden>
    </a>
  );
}

/** Keeps the label on one line on a narrow phone. */
const OneLineButton = styled(SubmitButton)`
  padding-inline: 0.5rem;
  font-size: clamp(${token.text}, 4.7vw, ${token.textLarge});
`;

const SentNote = styled.p`
  display: grid;
  grid-template-columns: auto 1fr;
  gap: 0.75rem;
  padding: 0.875rem 1rem;
  border-radius: ${token.radius};
  background: ${token.tint};
  line-height: 1.5;

  & > svg {
    inline-size: 1.25rem;
    block-size: 1.5em;
    color: ${token.success};
  }
`;

const DisclosureText = styled.p`
  color: var(--surface-muted);
  font-size: 0.875rem;
  line-height: 1.55;

  & a {
    color: var(--surface-link);
    white-space: nowrap;

    /* Inline padding enlarges the target and moves nothing. */
    ${media.touch} {
      padding-block: 0.875rem;
    }
  }
`;

const asked: readonly Question[] = questions;

/** The questions that the brand asks in a form. Nobody has to answer them. */
function LeadQuestions({ controller }: { controller: LeadFormController }) {
  return asked
    .filter(({ forms }) => forms.includes(controller.form))
    .map((question) => {
      const { id, label } = question;
      const { name, defaultValue } = fieldProps(controller, answerName(id));
      return question.kind === 'text' ? (
        <Field
          key={id}
          id={`question-${id}`}
          name={name}
          defaultValue={defaultValue}
          label={`${label} ${leadFormTexts.optional}`}
          type="text"
          maxLength={question.lengthMax}
          autoComplete="off"
        />
      ) : (
        <Chips
          key={id}
          legend={`${label} ${leadFormTexts.optional}`}
          name={name}
          defaultValue={defaultValue}
          options={listOptions(question, leadFormTexts.yesNo)}
        />
      );
    });
}

/** The ZIP in a form's field as soon as it is complete, otherwise null. */
function useTypedZip({ form, ref, posted }: LeadFormController): {
  zip: string | null;
  onZipInput: (event: InputEvent<HTMLInputElement>) => void;
} {
  const [zip, setZip] = useState(() => zipInText(posted?.values['zip_code'] ?? ''));
  // The browser may have filled in the field before the page was live.
  useEffect(() => {
    const typed = findInput(ref.current, 'zip_code')?.value ?? '';
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
