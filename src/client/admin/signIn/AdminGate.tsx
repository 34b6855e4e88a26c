import { type ReactNode, Suspense, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { AdminApiProvider } from '#client/admin/kit/adminApi.tsx';
import { SignOutProvider, StaffProvider } from '#client/admin/kit/staffContext.tsx';
import { usePage } from '#client/api/tenant.tsx';
import { token } from '#client/theme/tokens.ts';
import { WarningLine } from '#client/ui/Alert.tsx';
import { showToast } from '#client/ui/Toast.tsx';
import type { StaffMember } from '#shared/admin/staff.ts';
import { useConfirmIdentity } from './ConfirmIdentity.tsx';
import { SignInForm } from './SignInForm.tsx';
import { StaffBar } from './StaffBar.tsx';
import { gateCopy } from './copy.ts';

const sessionFlag = 'auth';

interface AdminGateProps {
  /** The brand's mark, at the top of the sign-in page and the dashboard. */
  mark: ReactNode;
  /** The dashboard. It is rendered in the browser only, after signing in. */
  children: ReactNode;
}

/**
 * Renders the sign-in form until a member is signed in, then the dashboard. The page's data contains the member, so
 * nothing flashes. A 401 shows the form again. If another tab signed in with another account, the page stays, with what
 * was typed, until the member continues as it.
 */
export function AdminGate({ mark, children }: AdminGateProps) {
  const { member: initialMember, step: initialStep, ways } = usePage('admin');
  const [member, setMember] = useState(initialMember);
  const [notice, setNotice] = useState<string | null>(null);
  /** Who is signed in now, if this page still shows another member. */
  const [other, setOther] = useState<StaffMember | null>(null);
  const isLive = useIsLive();
  useEffect(() => mirrorSession(member !== null), [member]);
  const onSignedIn = (signedIn: StaffMember): void => {
    setMember(signedIn);
    startAtTop();
  };
  const onSignedOut = useCallback((text: string | null) => {
    setNotice(text);
    setMember(null);
    setOther(null);
    startAtTop();
  }, []);
  const onOtherAccount = useCallback(async () => {
    const { trpcClient } = await import('#client/api/trpc.ts');
    // If this fails, the next change asks again.
    const now = await trpcClient.admin.session.me.query().catch(() => null);
    setOther(now);
  }, []);
  const onContinue = (): void => {
    setMember(other);
    setOther(null);
    startAtTop();
  };
  const onSessionOver = useCallback(() => onSignedOut(gateCopy.sessionOver), [onSignedOut]);
  const signOut = useCallback(() => void endSession(() => onSignedOut(null)), [onSignedOut]);

  const { confirm, dialog } = useConfirmIdentity();

  if (member === null) {
    return (
      <Page>
        <StaffBar mark={mark} />
        <Center>
          <Title>{gateCopy.title}</Title>
          <SignInForm {...{ isLive, notice, initialStep, ways, onSignedIn }} />
        </Center>
      </Page>
    );
  }
  const waiting = (
    <Page>
      <StaffBar mark={mark}>
        <span>{gateCopy.signedInAs(member.name, member.role)}</span>
      </StaffBar>
      <Title>{gateCopy.title}</Title>
      <output>{gateCopy.loading}</output>
    </Page>
  );
  return (
    // By account: another one starts with nothing of this one.
    <AdminApiProvider
      key={member.account}
      account={member.account}
      onSignedOut={onSessionOver}
      onOtherAccount={() => void onOtherAccount()}
      onChanged={() => setOther(null)}
      confirm={confirm}
    >
      <StaffProvider value={member}>
        <SignOutProvider value={signOut}>
          <OtherAccount other={other} onContinue={onContinue} />
          {isLive ? <Suspense fallback={waiting}>{children}</Suspense> : waiting}
          {dialog}
        </SignOutProvider>
      </StaffProvider>
    </AdminApiProvider>
  );
}

/** Ends the session, also where it has already ended. `onDone` isn't called if that fails. */
async function endSession(onDone: () => void): Promise<void> {
  const { toApiError, trpcClient } = await import('#client/api/trpc.ts');
  try {
    await trpcClient.admin.session.signOut.mutate();
    forgetTab();
  } catch (error) {
    if (toApiError(error).status !== 401) {
      showToast({ title: gateCopy.signOutFailed, tone: 'destructive' });
      return;
    }
  }
  onDone();
}

/** Forgets what was typed in this tab. `Clear-Site-Data` works only in some browsers and over https. */
function forgetTab(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Storage is blocked: nothing was kept.
  }
}

/** The focused element is gone: moves the focus to the start of the page. */
function startAtTop(): void {
  document.querySelector('main')?.focus();
}

/** Mirrors in `sessionStorage.auth` whether this tab shows the dashboard. Only the server's session grants access. */
function mirrorSession(isSignedIn: boolean): void {
  try {
    if (isSignedIn) sessionStorage.setItem(sessionFlag, 'true');
    else sessionStorage.removeItem(sessionFlag);
  } catch {
    // Storage is blocked. Nothing depends on the flag.
  }
}

const neverChanges = () => () => {};

/** False during hydration, which must render the same as the server. */
function useIsLive(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

const Page = styled.div`
  inline-size: min(100% - 2.5rem, 90rem);
  margin-inline: auto;
  padding-block: 1rem 3rem;
`;

const Center = styled.div`
  max-inline-size: 28rem;
  margin-block-start: clamp(0rem, 8dvh, 6rem);
  margin-inline: auto;
`;

const Title = styled.h1`
  margin-block: 1.5rem 1rem;
  font-size: ${token.title};
`;

interface OtherAccountProps {
  /** Null: the page shows who is signed in. */
  other: StaffMember | null;
  onContinue: () => void;
}

/** Says that another tab signed in with another account. The live region is always present, so it's announced. */
function OtherAccount({ other, onContinue }: OtherAccountProps) {
  return (
    <output>
      {other === null ? null : (
        <Notice text={gateCopy.otherAccount(other.name)}>
          <ActionButton onClick={onContinue}>{gateCopy.continueAs(other.name)}</ActionButton>
        </Notice>
      )}
    </output>
  );
}

const Notice = styled(WarningLine)`
  margin: 0.5rem 1.25rem;
`;
