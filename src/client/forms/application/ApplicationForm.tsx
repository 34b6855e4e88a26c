import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { firstWrong, useFormController } from '#client/forms/useFormController.ts';
import { useIsOnline, useNetworkNotice } from '#client/forms/networkNotice.ts';
import { useBoot, usePage } from '#client/api/tenant.tsx';
import { Button } from '#client/ui/Button.tsx';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Field } from '#client/ui/Field.tsx';
import { Honeypot } from '#client/ui/Honeypot.tsx';
import { FormMessage } from '#client/ui/FormMessage.tsx';
import { Lock } from '#client/ui/Icon.tsx';
import { TextArea } from '#client/ui/TextArea.tsx';
import { applicationFields, applicationLimits } from '#shared/applications/applicationFields.ts';
import { applicationConsent, applicationTexts } from '#shared/brand/application.ts';
import { Applied } from './Applied.tsx';
import { applicationInputs } from './applicationInputs.ts';
import { applicationRules } from './applicationRules.ts';
import { applicationOrder } from './applicationValues.ts';

/**
 * The application of a practice. Like the lead form it is whole without scripts: a plain post to /api/provider-applications, answered with
 * a redirect or with this page, values and messages. Once it is sent, what happens next stands in its place.
 */
export function ApplicationForm() {
  const { applied } = usePage('recruitment');
  const [isSent, setIsSent] = useState(false);
  const thanks = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isSent) thanks.current?.focus();
  }, [isSent]);
  if (isSent || applied) return <Applied ref={thanks} canApplyAgain={applied} />;
  return <Fields onSent={() => setIsSent(true)} />;
}

function Fields({ onSent }: { onSent: () => void }) {
  const { formToken } = useBoot();
  const { form: posted } = usePage('recruitment');
  const controller = useFormController(applicationRules, { pageToken: formToken, posted, onCreated: onSent });
  const { ref, phase, errors, message, onSubmit, onTouch, onInput } = controller;
  const notice = useNetworkNotice(useIsOnline(), phase === 'submitting');
  const shown = message === '' ? notice : message;
  const wrong = firstWrong(applicationOrder, posted?.errors ?? {});
  return (
    <Form
      ref={ref}
      method="post"
      action="/api/provider-applications"
      data-application-form
      onSubmit={onSubmit}
      onFocus={onTouch}
      onPointerDown={onTouch}
      onInput={onInput}
    >
      {applicationFields.map((name) => {
        const shared = {
          name,
          label: applicationTexts.labels[name],
          defaultValue: posted?.values[name],
          error: errors[name],
          ...focusWhen(name === wrong),
        };
        return name === 'message' ? (
          <TextArea
            key={name}
            {...shared}
            hint={applicationTexts.hints.message}
            rows={4}
            maxLength={applicationLimits.messageLengthMax}
          />
        ) : (
          <Field
            key={name}
            {...shared}
            {...applicationInputs[name]}
            hint={name === 'role' ? applicationTexts.hints.role : undefined}
          />
        );
      })}
      <Checkbox
        name="acceptance_consent"
        value="true"
        label={applicationConsent.text}
        required
        defaultChecked={posted?.values['acceptance_consent'] !== undefined}
        error={errors['acceptance_consent']}
        {...focusWhen(wrong === 'acceptance_consent')}
      />
      <input type="hidden" name="acceptance_message" value={applicationConsent.text} />
      <input type="hidden" name="token" value={formToken} />
      <Honeypot name="homepage" />
      <FormMessage id={messageId} text={shown} isCalm={message === ''} />
      <SubmitButton
        type="submit"
        size="large"
        disabled={phase === 'submitting'}
        aria-describedby={shown === '' ? undefined : messageId}
        {...focusWhen(posted !== null && wrong === null)}
      >
        {phase === 'submitting'
          ? applicationTexts.submitting
          : phase === 'failed'
            ? applicationTexts.tryAgain
            : applicationTexts.submit}
      </SubmitButton>
      <PrivacyLine>
        <Lock />
        {applicationTexts.privacyLine}
      </PrivacyLine>
    </Form>
  );
}

const messageId = 'application-form-message';

/** After a failed plain post the browser itself goes to the first wrong field (or to the button), as no script may be there to do it. */
function focusWhen(isNeeded: boolean): { autoFocus?: true } {
  return isNeeded ? { autoFocus: true } : {};
}

const Form = styled.form`
  position: relative;
  display: grid;
  gap: 1.125rem;
`;

const SubmitButton = styled(Button)`
  inline-size: 100%;
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
