import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { FormMessage } from '#client/ui/FormMessage.tsx';
import { Lock } from '#client/ui/Icon.tsx';
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
  const { copy, phase, message, notice, posted, firstWrong } = controller;
  const shown = message === '' ? notice : message;
  return (
    <>
      <FormMessage id={messageId} text={shown} isCalm={message === ''} />
      <SubmitButton
        type="submit"
        size="large"
        disabled={phase === 'submitting'}
        aria-describedby={shown === '' ? undefined : messageId}
        {...focusWhen(posted !== null && posted.message !== '' && firstWrong === null)}
      >
        {phase === 'submitting' ? copy.submitting : phase === 'failed' ? leadFormTexts.tryAgain : submitLabel}
      </SubmitButton>
      <PrivacyLine>
        <Lock />
        <span>{leadFormTexts.privacyLine}</span>
      </PrivacyLine>
      <Disclosure />
    </>
  );
}

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
