import { type ComponentProps, useCallback, useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { useBoot, usePage } from '#client/api/tenant.tsx';
import type { PageListener } from '#client/forms/enhanceForm.ts';
import {
  ConsentBox,
  fieldProps,
  FormFrame,
  HiddenFields,
  PrivacyLine,
  SubmitButton,
} from '#client/forms/FormFrame.tsx';
import { useFormController } from '#client/forms/useFormController.ts';
import { describeControl, Field, FieldFrame, type FieldTexts, linesLook } from '#client/ui/Field.tsx';
import { applicationFields, applicationLimits } from '#shared/applications/applicationFields.ts';
import { applicationConsent, applicationTexts } from '#shared/brand/application.ts';
import { Applied } from './Applied.tsx';
import { applicationInputs } from './applicationInputs.ts';

/**
 * A practice's application. Without script it is a plain form post to /api/provider-applications, answered with a
 * redirect or with this page, values and messages. Once it is sent, the next steps replace it.
 */
export function ApplicationForm() {
  const { applied } = usePage('recruitment');
  const [isSent, setIsSent] = useState(false);
  const thanks = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isSent) thanks.current?.focus();
  }, [isSent]);
  if (isSent || applied) return <Applied ref={thanks} canApplyAgain={applied} />;
  return <OpenForm onSent={() => setIsSent(true)} />;
}

const fields = [...applicationFields, 'acceptance_consent'];
const texts = { ...applicationTexts, consentToast: null, showsErrorMessage: true };

function OpenForm({ onSent }: { onSent: () => void }) {
  const { formToken } = useBoot();
  const { form: posted } = usePage('recruitment');
  const enhance = useCallback(
    async (element: HTMLFormElement, page: PageListener) => {
      const [{ enhanceForm }, { applicationRules }] = await Promise.all([
        import('#client/forms/enhanceForm.ts'),
        import('./applicationRules.ts'),
      ]);
      return enhanceForm(element, applicationRules, { ...page, pageToken: formToken });
    },
    [formToken],
  );
  const controller = useFormController({ fields, texts, posted, enhance, onCreated: onSent });
  return (
    <FormFrame controller={controller} action="/api/provider-applications" data-application-form>
      {applicationFields.map((name) => {
        const shared = { ...fieldProps(controller, name), label: applicationTexts.labels[name] };
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
      <ConsentBox controller={controller} text={applicationConsent.text} />
      <HiddenFields values={{ acceptance_message: applicationConsent.text, token: formToken }} />
      <SubmitButton controller={controller} messageId="application-form-message" labels={applicationTexts} />
      <PrivacyLine>{applicationTexts.privacyLine}</PrivacyLine>
    </FormFrame>
  );
}

type TextAreaProps = FieldTexts & ComponentProps<'textarea'>;

/** A labeled field of several lines. It grows with its text if the browser supports that. Ids as in Field. */
function TextArea({ label, name, hint, error, id = `field-${name}`, className, ...input }: TextAreaProps) {
  const frame = { label, hint, error, id, className };
  return (
    <FieldFrame {...frame}>
      <Lines {...describeControl(frame)} name={name} {...input} />
    </FieldFrame>
  );
}

const Lines = styled.textarea`
  ${linesLook}
  min-block-size: 7.5rem;
  max-block-size: 24rem;
  field-sizing: content;
`;
