import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { styled } from 'styled-components';
import { AdminApiProvider } from '#client/admin/kit/adminApi.tsx';
import { usePage } from '#client/api/tenant.tsx';
import { token } from '#client/theme/tokens.ts';
import type { StaffMember } from '#shared/admin/staff.ts';
import { gateCopy } from './copy.ts';
import { SignInForm } from './SignInForm.tsx';
import { StaffBar } from './StaffBar.tsx';
import { StaffProvider } from '#client/admin/kit/staffContext.tsx';

const sessionFlag = 'auth';

interface AdminGateProps {
  /** The brand's mark, at the top of either side. */
  mark: ReactNode;
  /** The dashboard; drawn in the browser alone, once somebody is signed in. */
  children: ReactNode;
}

/**
 * The gate under the dashboard's title until somebody is signed in, then the dashboard. Whom the server drew the page for stands in its
 * data, so nothing flashes; a call that the server answers with 401 closes the gate again.
 */
export function AdminGate({ mark, children }: AdminGateProps) {
  const { member: drawnFor } = usePage('admin');
  const [member, setMember] = useState(drawnFor);
  const [notice, setNotice] = useState<string | null>(null);
  const isLive = useIsLive();
  useEffect(() => mirrorSession(member !== null), [member]);
  const onSignedIn = (signedIn: StaffMember): void => {
    setMember(signedIn);
    startAtTop();
  };
  const onSignedOut = useCallback((said: string | null) => {
    setNotice(said);
    setMember(null);
    startAtTop();
  }, []);
  const onSessionOver = useCallback(() => onSignedOut(gateCopy.sessionOver), [onSignedOut]);

  if (member === null) {
    return (
      <Page>
        <StaffBar mark={mark} />
        <Title>{gateCopy.title}</Title>
        <SignInForm isLive={isLive} notice={notice} onSignedIn={onSignedIn} />
      </Page>
    );
  }
  return (
    <AdminApiProvider onSignedOut={onSessionOver}>
      <StaffProvider value={member}>
        <Page>
          <StaffBar mark={mark} member={member} onSignedOut={() => onSignedOut(null)} />
          {isLive ? (
            children
          ) : (
            <>
              <Title>{gateCopy.title}</Title>
              <output>{gateCopy.loading}</output>
            </>
          )}
        </Page>
      </StaffProvider>
    </AdminApiProvider>
  );
}

/** What had the focus is gone: the keyboard goes on where a page begins. */
function startAtTop(): void {
  document.querySelector('main')?.focus();
}

/** Mirrors in `sessionStorage.auth` whether this tab shows the dashboard. It opens nothing: the session is the server's. */
function mirrorSession(isSignedIn: boolean): void {
  try {
    if (isSignedIn) sessionStorage.setItem(sessionFlag, 'true');
    else sessionStorage.removeItem(sessionFlag);
  } catch {
    // A browser that keeps nothing loses nothing by it.
  }
}

const neverChanges = () => () => {};

/** False while the server's drawing is brought to life, which must draw the same. */
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

const Title = styled.h1`
  margin-block: 1.5rem 1rem;
  font-size: ${token.title};
`;
