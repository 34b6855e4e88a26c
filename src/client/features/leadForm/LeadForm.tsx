import { styled } from 'styled-components';
import { useBoot } from '#client/tenant.tsx';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Field } from '#client/ui/Field.tsx';
import { Honeypot } from '#client/ui/Honeypot.tsx';
import { CircleAlert, Lock } from '#client/ui/Icon.tsx';
import { consentTextOf } from '#shared/brand/consentTexts.ts';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { leadFields } from '#shared/leadFields.ts';
import { Disclosure } from './Disclosure.tsx';
import { leadInputs } from './leadInputs.ts';
import { firstWrongField, knownFieldErrors } from './leadValues.ts';
import { useLeadForm } from './useLeadForm.ts';

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
export function LeadForm({ form, providerId, submitLabel = leadFormTexts.submit }: LeadFormProps) {
  const { tenant, page, formToken } = useBoot();
  const posted = 'form' in page ? page.form : null;
  const sentProviderId = tenant === null && providerId !== undefined ? providerId : null;
  const { ref, phase, errors, message, onSubmit, onTouch, onInput } = useLeadForm({
    form,
    providerId: sentProviderId,
    pageToken: formToken,
    posted,
  });
  const firstWrong = firstWrongField(knownFieldErrors(posted?.errors ?? {}));
  const consentText = consentTextOf(form)?.text;
  return (
    <Form
      ref={ref}
      method="post"
      action={sentProviderId === null ? '/api/leads' : `/api/leads?providerId=${sentProviderId}`}
      data-lead-form={form}
      onSubmit={onSubmit}
      onFocus={onTouch}
      onPointerDown={onTouch}
      onInput={onInput}
    >
      {leadFields.map((field) => (
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
      ))}
      <Checkbox
        name="acceptance_consent"
        value="true"
        label={consentText}
        required
        defaultChecked={posted?.values['acceptance_consent'] !== undefined}
        error={errors.acceptance_consent}
        {...focusWhen(firstWrong === 'acceptance_consent')}
      />
      <input type="hidden" name="acceptance_message" value={consentText} />
      <input type="hidden" name="form" value={form} />
      <input type="hidden" name="token" value={formToken} />
      <Honeypot name="website" />
      {message === '' ? null : (
        <Message id={messageId}>
          <CircleAlert />
          {message}
        </Message>
      )}
      <SubmitButton
        type="submit"
        size="large"
        disabled={phase === 'submitting'}
        aria-describedby={message === '' ? undefined : messageId}
        {...focusWhen(posted !== null && firstWrong === null)}
      >
        {phase === 'submitting'
          ? leadFormTexts.submitting
          : phase === 'failed'
            ? leadFormTexts.tryAgain
            : submitLabel}
      </SubmitButton>
      <PrivacyLine>
        <Lock />
        {leadFormTexts.privacyLine}
      </PrivacyLine>
      <Disclosure />
    </Form>
  );
}

const messageId = 'lead-form-message';

/** After a failed plain post the browser itself goes to the first wrong field (or to the button), as no script may be there to do it. */
function focusWhen(isNeeded: boolean): { autoFocus?: true } {
  return isNeeded ? { autoFocus: true } : {};
}

const Form = styled.form`
  position: relative;
  display: grid;
  gap: 1.125rem;
`;

const Message = styled.p`
  display: grid;
  grid-template-columns: auto 1fr;
  gap: 0.75rem;
  padding: 0.875rem 1rem;
  border: 1px solid currentcolor;
  border-radius: ${token.radius};
  color: var(--surface-danger);
  line-height: 1.5;

  & > svg {
    inline-size: 1.25rem;
    block-size: 1.5rem;
  }
`;

/* On a narrow phone the label still stands on one line. */
const SubmitButton = styled(Button)`
  inline-size: 100%;
  padding-inline: 0.5rem;
  font-size: clamp(${token.text}, 4.7vw, ${token.textLarge});
`;

const PrivacyLine = styled.p`
  display: flex;
  gap: 0.5rem;
  justify-content: center;
  color: var(--surface-muted);
  font-size: 0.9375rem;
  line-height: 1.4;

  & > svg {
    flex: none;
    inline-size: 1rem;
    block-size: 1.4em;
  }
`;
