import { type ComponentProps, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { styled } from 'styled-components';
import { useBoot, useCopy, usePage, useSite } from '#client/api/tenant.tsx';
import { EmailField } from '#client/forms/EmailField.tsx';
import type { PageListener } from '#client/forms/enhanceForm.ts';
import {
  ConsentBox,
  fieldProps,
  FormFrame,
  HiddenFields,
  PrivacyLine,
  SubmitButton,
} from '#client/forms/FormFrame.tsx';
import { createTabRecord, useTabRecord } from '#client/forms/tabRecord.ts';
import { useFormController } from '#client/forms/useFormController.ts';
import { Field, TextArea } from '#client/ui/Field.tsx';
import {
  applicationFields,
  applicationLimits,
  type ApplicationField,
} from '#shared/applications/applicationFields.ts';
import { applicationConsent, applicationTexts } from '#shared/brand/application.ts';
import { noFocusRing, token } from '#client/theme/tokens.ts';
import { CircleCheck } from '#client/ui/Icon.tsx';
import { SmallTitle, NoWrap } from '#client/ui/Section.tsx';
import { paths, providerFormAnchor } from '#shared/pages/paths.ts';
import type { SentApplication } from './applicationApi.ts';

const sentApplication = createTabRecord<SentApplication>('application.sent');

/**
 * A practice's application. Without script it is a plain form post to /api/provider-applications, answered with a
 * redirect or with this page, values and messages. Once it is sent, its receipt replaces it, also after a reload.
 */
export function ApplicationForm() {
  const { applied, form: posted } = usePage('recruitment');
  const sent = useTabRecord(sentApplication);
  const [isNew, setIsNew] = useState(false);
  function onSent(application: SentApplication): void {
    setIsNew(true);
    sentApplication.set(application);
  }
  // A form that was posted and came back with messages is shown again.
  if (applied || (sent !== null && posted === null)) return <Applied sent={sent} isNew={isNew} />;
  return <OpenForm onSent={onSent} />;
}

const fields = [...applicationFields, 'acceptance_consent'];
const texts = { ...applicationTexts, consentToast: null, showsErrorMessage: true };

function OpenForm({ onSent }: { onSent: (application: SentApplication) => void }) {
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
        const Input = name === 'email' ? EmailField : Field;
        return name === 'message' ? (
          <TextArea
            key={name}
            {...shared}
            hint={applicationTexts.hints.message}
            rows={4}
            maxLength={applicationLimits.messageLengthMax}
          />
        ) : (
          <Input
            key={name}
            {...shared}
            type="text"
            {...applicationInputs[name]}
            required={name !== 'website'}
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

interface AppliedProps {
  /** Null after a plain form post: the browser then knows nothing of it. */
  sent: SentApplication | null;
  /** It was sent just now: the title gets the focus of the form, which this replaces. */
  isNew: boolean;
}

const textId = 'applied-text';

/** Replaces the form once the application is stored: its number, where the receipt goes, and the next steps. */
function Applied({ sent, isNew }: AppliedProps) {
  const { ifSent, title, text, nextTitle, next, again } = useCopy(applicationTexts.applied);
  const { receipt } = applicationTexts;
  const { contacts } = useSite();
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNew) ref.current?.focus();
  }, [isNew]);
  return (
    <div>
      <Mark>
        <CircleCheck strokeWidth={1.5} />
      </Mark>
      <Heading ref={ref} tabIndex={-1} aria-describedby={textId}>
        {sent === null ? `${ifSent} ${title}` : title}
      </Heading>
      <Text id={textId}>
        <NoWrap text={text} />
      </Text>
      <Receipt>
        {sent === null ? receipt.unknown : `${receipt.number(sent.id)} ${receipt.sent(sent.email)}`}{' '}
        {receipt.missing(contacts.email)}
      </Receipt>
      <NextTitle>{nextTitle}</NextTitle>
      <Next>
        {next.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </Next>
      <Text>
        {/* Like every link to the form, it leads to its first field, so the form must be there. */}
        <a
          href={`${paths.recruitment}#${providerFormAnchor}`}
          onClick={() => flushSync(() => sentApplication.set(null))}
        >
          {again}
        </a>
      </Text>
    </div>
  );
}

const Mark = styled.span`
  display: block;
  color: ${token.success};

  & > svg {
    inline-size: 3rem;
    block-size: 3rem;
  }
`;

const Heading = styled(SmallTitle)`
  margin-block: 1rem 0.75rem;
  font-size: ${token.title};
  ${noFocusRing}
`;

const Text = styled.p`
  font-size: ${token.textLarge};
`;

const Receipt = styled(Text)`
  margin-block-start: 1rem;
  overflow-wrap: anywhere;
`;

const NextTitle = styled.h4`
  margin-block: 2rem 0.75rem;
  padding-block-start: 1.5rem;
  border-block-start: 1px solid var(--surface-line);
  font-size: ${token.textLarge};
`;

const Next = styled.ol`
  display: grid;
  gap: 0.75rem;
  margin-block-end: 1.5rem;
  padding-inline-start: 1.5rem;
  list-style: decimal;

  & > li {
    text-wrap: pretty;
  }

  & > li::marker {
    color: var(--surface-accent);
    font-weight: 700;
  }
`;

type InputSettings = Pick<
  ComponentProps<'input'>,
  'type' | 'autoComplete' | 'autoCapitalize' | 'inputMode' | 'maxLength' | 'spellCheck'
>;

/** Keyboards, autofill and limits. The website is text: the browser's own check of URLs requires a scheme. */
const applicationInputs: Record<Exclude<ApplicationField, 'message'>, InputSettings> = {
  practice_name: {
    autoComplete: 'organization',
    autoCapitalize: 'words',
    maxLength: applicationLimits.practiceNameLengthMax,
  },
  contact_name: {
    autoComplete: 'name',
    autoCapitalize: 'words',
    spellCheck: false,
    maxLength: applicationLimits.nameLengthMax,
  },
  role: {
    autoComplete: 'organization-title',
    maxLength: applicationLimits.roleLengthMax,
  },
  email: {
    type: 'email',
    autoComplete: 'email',
    inputMode: 'email',
    maxLength: applicationLimits.emailLengthMax,
  },
  phone: {
    type: 'tel',
    autoComplete: 'tel',
    inputMode: 'tel',
  },
  zip_code: {
    autoComplete: 'postal-code',
    inputMode: 'numeric',
    maxLength: applicationLimits.zipLengthMax,
  },
  website: {
    autoComplete: 'url',
    autoCapitalize: 'none',
    inputMode: 'url',
    spellCheck: false,
    maxLength: applicationLimits.websiteLengthMax,
  },
};
