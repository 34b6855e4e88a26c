import { lazy, type SubmitEvent, Suspense, useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { toText } from '#client/admin/kit/text.ts';
import { token } from '#client/theme/tokens.ts';
import { Button, ButtonLink } from '#client/ui/Button.tsx';
import { Card } from '#client/ui/Section.tsx';
import { Field } from '#client/ui/Field.tsx';
import { ChevronDown } from '#client/ui/Icon.tsx';
import type { SignInStep, SignInWay } from '#shared/admin/secondFactor.ts';
import type { StaffMember } from '#shared/admin/staff.ts';
import { singleSignOnPath } from '#shared/pages/paths.ts';
import { gateCopy } from './copy.ts';

/** On a form that only a script can send: until the page is live, its button is disabled and Enter is remembered. */
const waitsAttribute = 'data-waits';
/** On such a form in which Enter was pressed early (server/render/document.ts). */
const sentEarlyAttribute = 'data-sent-early';

const invalidPassword = 'Invalid password';

interface SignInFormProps {
  /** False until the page is hydrated: the server has no plain form post for signing in, so an early one waits. */
  isLive: boolean;
  /** Why the member is signed out. */
  notice: string | null;
  /** What is left of a sign-in by link. */
  initialStep: SignInStep | null;
  /** Without the shared password, everyone signs in with an account. */
  ways: readonly SignInWay[];
  onSignedIn: (member: StaffMember) => void;
}

const SignInSteps = lazy(async () => ({ default: (await import('./SignInSteps.tsx')).SignInSteps }));

/** The form, or what is left after it. */
export function SignInForm({ initialStep, ...props }: SignInFormProps) {
  const [step, setStep] = useState(initialStep);
  if (step === null) return <PasswordForm {...props} onStep={setStep} />;
  const waiting = <output>{gateCopy.loading}</output>;
  return (
    <Sheet>
      {props.isLive ? (
        <Suspense fallback={waiting}>
          <SignInSteps step={step} onSignedIn={props.onSignedIn} onCancel={() => setStep(null)} />
        </Suspense>
      ) : (
        waiting
      )}
    </Sheet>
  );
}

type PasswordFormProps = Omit<SignInFormProps, 'initialStep'> & { onStep: (step: SignInStep) => void };

/** Signs in with the shared password, or with a named account's email and password. */
function PasswordForm({ isLive, notice, ways, onSignedIn, onStep }: PasswordFormProps) {
  const hasSharedPassword = ways.includes('shared-password');
  const form = useRef<HTMLFormElement>(null);
  const [isNamed, setIsNamed] = useState(!hasSharedPassword);
  const { isBusy, failure, setFailure, signIn } = useSignIn(onSignedIn, onStep);
  const link = useSignInLink(setFailure);
  useEffect(() => {
    if (!isLive) return;
    getField(form.current, hasSharedPassword ? 'password' : 'email')?.focus();
    // Sent with Enter before the page was live.
    if (form.current?.hasAttribute(sentEarlyAttribute) === true) form.current.requestSubmit();
  }, [isLive, hasSharedPassword]);
  useEffect(() => {
    if (isNamed) getField(form.current, 'email')?.focus();
  }, [isNamed]);
  useEffect(() => {
    if (failure?.isOfEmail === true) getField(form.current, 'email')?.focus();
    else if (notice !== null || failure !== null) getField(form.current, 'password')?.select();
  }, [notice, failure]);
  return (
    <Sheet
      as="form"
      ref={form}
      // If the browser submits the form itself, the password must not become part of the URL.
      method="post"
      noValidate
      {...{ [waitsAttribute]: isLive ? undefined : '' }}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        void signIn(new FormData(event.currentTarget));
      }}
    >
      {notice === null ? null : <output>{notice}</output>}
      {isNamed ? (
        <Field label={gateCopy.email} name="email" type="email" autoComplete="username" maxLength={254} />
      ) : null}
      <Field
        label={gateCopy.password}
        name="password"
        type="password"
        autoComplete="current-password"
        maxLength={1024}
        aria-describedby="gate-fault"
        aria-invalid={failure === null || failure.isOfEmail === true ? undefined : true}
      />
      <FailureText id="gate-fault" role="alert">
        {failure?.sentence}
      </FailureText>
      {link.sent === null ? null : (
        <output>{link.sent === 'reset' ? gateCopy.resetSent : gateCopy.linkSent}</output>
      )}
      <Actions>
        <Button type="submit" disabled={!isLive} aria-disabled={isBusy}>
          {isBusy ? gateCopy.signingIn : gateCopy.signIn}
        </Button>
        {hasSharedPassword ? (
          <Disclosure
            type="button"
            aria-expanded={isNamed}
            disabled={!isLive}
            onClick={() => setIsNamed(!isNamed)}
          >
            {gateCopy.namedAccount}
            <ChevronDown />
          </Disclosure>
        ) : null}
      </Actions>
      <Actions>
        {isNamed ? (
          <Disclosure
            type="button"
            disabled={!isLive}
            aria-disabled={link.busy !== null}
            onClick={() => void link.send(form.current, 'sign-in')}
          >
            {link.busy === 'sign-in' ? gateCopy.sendingLink : gateCopy.sendLink}
          </Disclosure>
        ) : null}
        <Disclosure
          type="button"
          disabled={!isLive}
          aria-disabled={link.busy !== null}
          onClick={() => {
            setIsNamed(true);
            void link.send(form.current, 'reset');
          }}
        >
          {link.busy === 'reset' ? gateCopy.sendingLink : gateCopy.forgot}
        </Disclosure>
      </Actions>
      {ways.includes('single-sign-on') ? (
        <ButtonLink variant="secondary" href={singleSignOnPath}>
          {gateCopy.singleSignOn}
        </ButtonLink>
      ) : null}
      <WithoutScripts>{gateCopy.withoutScripts}</WithoutScripts>
    </Sheet>
  );
}

function getField(form: HTMLFormElement | null, name: 'email' | 'password'): HTMLInputElement | null {
  return form?.querySelector<HTMLInputElement>(`[name=${name}]`) ?? null;
}

/** A new object for each failure, so that a repeated one is announced again. */
interface Failure {
  sentence: string;
  /** The address is missing, not the password wrong. */
  isOfEmail?: true;
}

function useSignIn(onSignedIn: (member: StaffMember) => void, onStep: (step: SignInStep) => void) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  async function signIn(data: FormData): Promise<void> {
    if (isBusy) return;
    const [email, password] = [toText(data, 'email').trim(), toText(data, 'password')];
    setFailure(null);
    if (password === '') {
      setFailure({ sentence: invalidPassword });
      return;
    }
    setIsBusy(true);
    const { toApiError, trpcClient } = await import('#client/api/trpc.ts');
    try {
      const input = { password, ...(email === '' ? {} : { email }) };
      const result = await trpcClient.admin.session.signIn.mutate(input);
      if ('step' in result) onStep(result.step);
      else onSignedIn(result);
    } catch (error) {
      setFailure({ sentence: toApiError(error).userMessage ?? gateCopy.failed });
    } finally {
      setIsBusy(false);
    }
  }
  return { isBusy, failure, setFailure, signIn };
}

type LinkKind = 'sign-in' | 'reset';

/** Asks for an email with a link. */
function useSignInLink(setFailure: (failure: Failure | null) => void) {
  const [busy, setBusy] = useState<LinkKind | null>(null);
  const [sent, setSent] = useState<LinkKind | null>(null);
  async function send(form: HTMLFormElement | null, kind: LinkKind): Promise<void> {
    if (busy !== null || form === null) return;
    const email = toText(new FormData(form), 'email').trim();
    setSent(null);
    setFailure(email === '' ? { sentence: gateCopy.linkNeedsEmail, isOfEmail: true } : null);
    if (email === '') return;
    setBusy(kind);
    const { toApiError, trpcClient } = await import('#client/api/trpc.ts');
    try {
      await trpcClient.admin.session.requestLink.mutate({ email, kind });
      setSent(kind);
    } catch (error) {
      setFailure({ sentence: toApiError(error).userMessage ?? gateCopy.linkFailed });
    } finally {
      setBusy(null);
    }
  }
  return { busy, sent, send };
}

const Sheet = styled(Card)`
  display: grid;
  gap: 1rem;
`;

const FailureText = styled.p`
  color: ${token.danger};
  font-weight: 500;
  line-height: 1.4;

  &:empty {
    display: none;
  }
`;

const WithoutScripts = styled.p`
  display: none;

  @media (scripting: none) {
    display: block;
  }
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.75rem;
`;

const Disclosure = styled.button`
  display: inline-flex;
  align-items: center;
  gap: 0.375rem;
  min-block-size: 2.75rem;
  padding-inline: 0.5rem;
  border: 0;
  background: none;
  color: var(--surface-link);
  cursor: pointer;

  & > svg {
    inline-size: 1.125em;
    block-size: 1.125em;
  }

  &[aria-expanded='true'] > svg {
    transform: rotate(180deg);
  }
`;
