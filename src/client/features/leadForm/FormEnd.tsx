import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { CircleAlert, Lock } from '#client/ui/Icon.tsx';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { focusWhen } from './ContactFields.tsx';
import { Disclosure } from './Disclosure.tsx';
import type { LeadFormController } from './useLeadForm.ts';

interface FormEndProps {
  controller: LeadFormController;
  submitLabel: string;
}

const messageId = 'lead-form-message';

/** What stands under the fields: what went wrong, the button that tells the form's state, and the small print. */
export function FormEnd({ controller, submitLabel }: FormEndProps) {
  const { words, phase, message, notice, posted, firstWrong } = controller;
  const shown = message === '' ? notice : message;
  return (
    <>
      {/* There from the start: a live region announces only what changes in it. Texts stand in elements of their own, so that a
          page translator, which replaces text nodes, leaves React's elements in place. */}
      <Live aria-live="polite">
        {shown === '' ? null : (
          <Message key={shown} id={messageId} $calm={message === ''}>
            <CircleAlert />
            <span>{shown}</span>
          </Message>
        )}
      </Live>
      <SubmitButton
        type="submit"
        size="large"
        disabled={phase === 'submitting'}
        aria-describedby={shown === '' ? undefined : messageId}
        {...focusWhen(posted !== null && posted.message !== '' && firstWrong === null)}
      >
        {phase === 'submitting'
          ? words.submitting
          : phase === 'failed'
            ? leadFormTexts.tryAgain
            : submitLabel}
      </SubmitButton>
      <PrivacyLine>
        <Lock />
        <span>{leadFormTexts.privacyLine}</span>
      </PrivacyLine>
      <Disclosure />
    </>
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
