import { type ComponentProps, useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { styled } from 'styled-components';
import { useBoot, useCopy, usePage } from '#client/api/tenant.tsx';
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
  /** Gets the focus when this replaces the form. */
  ref: RefObject<HTMLHeadingElement | null>;
  /** True at an address of its own, from which the form would otherwise not be reachable. */
  canApplyAgain: boolean;
}

const textId = 'applied-text';

/** Replaces the form once the application is stored, and lists the next steps. */
function Applied({ ref, canApplyAgain }: AppliedProps) {
  const { title, text, nextTitle, next, again } = useCopy(applicationTexts.applied);
  return (
    <div>
      <Mark>
        <CircleCheck strokeWidth={1.5} />
      </Mark>
      <Heading ref={ref} tabIndex={-1} aria-describedby={textId}>
        {title}
      </Heading>
      <Text id={textId}>
        <NoWrap text={text} />
      </Text>
      <NextTitle>{nextTitle}</NextTitle>
      <Next>
        {next.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </Next>
      {canApplyAgain ? (
        <Text>
          <a href={`${paths.recruitment}#${providerFormAnchor}`}>{again}</a>
        </Text>
      ) : null}
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
