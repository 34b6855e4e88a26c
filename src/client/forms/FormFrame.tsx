import type { ComponentProps, ReactNode } from 'react';
import { styled } from 'styled-components';
import { Button } from '#client/ui/Button.tsx';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Lock } from '#client/ui/Icon.tsx';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { honeypotName } from '#shared/leads/quarantine.ts';
import type { FormController } from './useFormController.ts';
import { token } from '../theme/tokens.ts';
import { CircleAlert } from '../ui/Icon.tsx';

interface FormFrameProps extends ComponentProps<'form'> {
  controller: FormController;
  action: string;
}

/** The form element of every public form. Without script it is a plain form post to `action`. */
export function FormFrame({ controller, ...attributes }: FormFrameProps) {
  const { ref, onSubmit, onTouch, onInput } = controller;
  return (
    <Form
      ref={ref}
      method="post"
      onSubmit={onSubmit}
      onFocus={onTouch}
      onPointerDown={onTouch}
      onInput={onInput}
      {...attributes}
    />
  );
}

/** What a field of any kind shows: after a failed plain form post also the value and message that came back. */
export function fieldProps({ posted, errors, firstPostedError }: FormController, name: string) {
  return {
    name,
    defaultValue: posted?.values[name],
    error: errors[name],
    ...autoFocusIf(name === firstPostedError),
  };
}

/** Unchecked at first. After a failed plain form post it is as it was sent. */
export function ConsentBox({ controller, text }: { controller: FormController; text: string | undefined }) {
  const { defaultValue, ...box } = fieldProps(controller, 'acceptance_consent');
  return <Checkbox {...box} value="true" label={text} required defaultChecked={defaultValue !== undefined} />;
}

export function HiddenFields({ values }: { values: Record<string, string | undefined> }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Honeypot />
    </>
  );
}

/** Each password manager has its own attribute for a field that isn't about a person. */
const ignoredByManagers = {
  autoComplete: 'off',
  'data-1p-ignore': true,
  'data-bwignore': true,
  'data-form-type': 'other',
  'data-lpignore': 'true',
};

/** A field that only software fills in. Its name and label are in no identity record, so autofill skips it. */
function Honeypot() {
  return (
    <OffScreen aria-hidden="true">
      <label htmlFor={`field-${honeypotName}`}>{leadFormTexts.honeypot}</label>
      <input
        id={`field-${honeypotName}`}
        name={honeypotName}
        type="text"
        tabIndex={-1}
        {...ignoredByManagers}
      />
    </OffScreen>
  );
}

interface SubmitButtonProps {
  controller: FormController;
  messageId: string;
  labels: { submit: string; submitting: string; tryAgain: string };
  variant?: 'primary' | 'secondary';
  className?: string;
}

/** The button, whose label shows the form's phase, and above it what failed or the network status. */
export function SubmitButton({ controller, messageId, labels, variant, className }: SubmitButtonProps) {
  const { phase, message, notice, posted, firstPostedError } = controller;
  const text = message === '' ? notice : message;
  const hasFailedPost = posted !== null && posted.message !== '' && firstPostedError === null;
  return (
    <>
      <FormMessage id={messageId} text={text} isCalm={message === ''} />
      <WideButton
        type="submit"
        size="large"
        variant={variant ?? 'primary'}
        disabled={phase === 'submitting'}
        aria-describedby={text === '' ? undefined : messageId}
        className={className}
        {...autoFocusIf(hasFailedPost)}
      >
        {phase === 'submitting' ? labels.submitting : phase === 'failed' ? labels.tryAgain : labels.submit}
      </WideButton>
    </>
  );
}

export function PrivacyLine({ children }: { children: ReactNode }) {
  return (
    <PrivacyText>
      <Lock />
      {children}
    </PrivacyText>
  );
}

/** After a failed plain form post the browser itself moves the focus, because no script may run. */
function autoFocusIf(isNeeded: boolean): { autoFocus?: true } {
  return isNeeded ? { autoFocus: true } : {};
}

const Form = styled.form`
  position: relative;
  display: grid;
  gap: 1.125rem;
`;

const OffScreen = styled.div`
  position: absolute;
  inset-inline-start: -10000px;
  inline-size: 1px;
  block-size: 1px;
  overflow: hidden;
`;

const WideButton = styled(Button)`
  inline-size: 100%;
`;

const PrivacyText = styled.p`
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

interface FormMessageProps {
  id: string;
  /** Empty if there is no message. */
  text: string;
  /** The message is not an error. */
  isCalm?: boolean;
}

/**
 * A whole form's message. Rendered from the start, because a live region only announces changes. Its text has its own
 * element: page translators replace text nodes, and must leave React's elements in place.
 */
function FormMessage({ id, text, isCalm = false }: FormMessageProps) {
  return (
    <Live aria-live="polite">
      {text === '' ? null : (
        <Message key={text} id={id} $calm={isCalm}>
          <CircleAlert />
          <span>{text}</span>
        </Message>
      )}
    </Live>
  );
}

/** No box of its own: an empty one would leave a gap in the form's grid. */
const Live = styled.div`
  display: contents;
`;

const Message = styled.p<{ $calm: boolean }>`
  display: grid;
  grid-template-columns: auto 1fr;
  gap: 0.75rem;
  padding: 0.875rem 1rem;
  border: 1px solid ${({ $calm }) => ($calm ? 'var(--surface-line)' : 'currentcolor')};
  border-radius: ${token.radius};
  color: ${({ $calm }) => ($calm ? 'var(--surface-text)' : 'var(--surface-danger)')};
  line-height: 1.5;

  & > svg {
    inline-size: 1.25rem;
    block-size: 1.5rem;
  }
`;
