import { type ReactNode, useState } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { showToast } from '#client/ui/Toast.tsx';
import { paths } from '#shared/pages/paths.ts';
import type { StaffMember } from '#shared/admin/staff.ts';
import { gateCopy } from './copy.ts';

interface StaffBarProps {
  mark: ReactNode;
  member?: StaffMember;
  onSignedOut?: () => void;
}

/** The bar above the dashboard: the brand, the signed-in member and the button that signs out. */
export function StaffBar({ mark, member, onSignedOut }: StaffBarProps) {
  return (
    <Bar>
      <Home href={paths.home}>{mark}</Home>
      {member === undefined || onSignedOut === undefined ? null : (
        <Who>
          <span>{gateCopy.signedInAs(member.name, member.role)}</span>
          <SignOutButton onSignedOut={onSignedOut} />
        </Who>
      )}
    </Bar>
  );
}

function SignOutButton({ onSignedOut }: { onSignedOut: () => void }) {
  const [isBusy, setIsBusy] = useState(false);
  async function signOut(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    const { toApiError, trpcClient } = await import('#client/api/trpc.ts');
    try {
      await trpcClient.admin.session.signOut.mutate();
      forgetTab();
      onSignedOut();
    } catch (error) {
      // The session has already ended.
      if (toApiError(error).status === 401) onSignedOut();
      else {
        setIsBusy(false);
        showToast({ title: gateCopy.signOutFailed, tone: 'destructive' });
      }
    }
  }
  return (
    <SignOut variant="quiet" onClick={() => void signOut()} aria-disabled={isBusy}>
      {isBusy ? gateCopy.signingOut : gateCopy.signOut}
    </SignOut>
  );
}

/** Forgets what was typed in this tab. `Clear-Site-Data` works only in some browsers and over https. */
function forgetTab(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Storage is blocked: nothing was kept.
  }
}

const Bar = styled.header`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.5rem 1.5rem;
  min-block-size: 3.5rem;
  padding-block-end: 0.5rem;
  border-block-end: 1px solid ${token.line};
`;

const Home = styled.a`
  display: grid;
  align-content: center;
  min-block-size: 2.75rem;
  color: var(--surface-heading);

  & > svg {
    inline-size: 7.25rem;
  }
`;

/** Its text ends where the page's content ends. */
const SignOut = styled(Button)`
  margin-inline-end: calc(-1rem - 1.5px);
`;

const Who = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.5rem;
  color: var(--surface-muted);
  font-size: 0.9375rem;
  overflow-wrap: anywhere;
`;
