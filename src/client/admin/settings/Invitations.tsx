import { useState } from 'react';
import { styled } from 'styled-components';
import { ActionDialog } from '#client/admin/kit/ActionForm.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { BreakAnywhere, Typed } from '#client/admin/kit/BreakAnywhere.tsx';
import { formCopy } from '#client/admin/kit/copy.ts';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { NameHeader, RowActions } from '#client/admin/kit/SettingsFrame.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { StackedTable } from '#client/ui/Table.tsx';
import type { Invitation } from '#shared/admin/access.ts';
import { roleCopy, teamCopy } from './copy.ts';

const { invitations: copy } = teamCopy;

/** Who is invited and has no account yet. Nothing if there is nobody. */
export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const [withdrawn, setWithdrawn] = useState<Invitation | null>(null);
  const withdraw = adminApi.admin.accounts.withdrawInvitation.useMutation();
  const resend = adminApi.admin.accounts.resendInvitation.useMutation(
    withReport({
      done: ({ name, isSent }) => (isSent ? copy.resent(name) : copy.notSent(name)),
      failed: formCopy.failed,
      isOneLine: true,
    }),
  );
  return (
    <>
      {invitations.length === 0 ? null : (
        <DataTable
          caption={copy.caption}
          isCaptionVisible
          columns={invitationColumns({
            isSending: resend.isPending,
            onResend: (id) => resend.mutate({ id }),
            onWithdraw: setWithdrawn,
          })}
          rows={invitations}
          as={StackedTable}
        />
      )}
      {withdrawn === null ? null : (
        <ActionDialog
          title={copy.withdrawOf(withdrawn.name)}
          note={copy.withdrawNote}
          submitLabel={copy.withdraw}
          onClose={() => setWithdrawn(null)}
          act={() => withdraw.mutateAsync({ id: withdrawn.id })}
          done={() => copy.withdrawn(withdrawn.name)}
        />
      )}
    </>
  );
}

interface InvitationActions {
  isSending: boolean;
  onResend: (id: number) => void;
  onWithdraw: (invitation: Invitation) => void;
}

function invitationColumns({ isSending, onResend, onWithdraw }: InvitationActions): Column<Invitation>[] {
  return [
    ...personColumns<Invitation>(),
    { key: 'role', header: teamCopy.columns.role, cell: ({ role }) => roleCopy[role].name },
    {
      key: 'ends',
      header: copy.sent,
      cell: ({ sent_at: sentAt, ends_at: endsAt }) => (
        <>
          {Date.parse(endsAt) < Date.now() ? copy.ended : <PhoneLabel>{copy.sent}: </PhoneLabel>}
          <Instant iso={sentAt} />
        </>
      ),
    },
    {
      key: 'actions',
      header: teamCopy.columns.actions,
      isHeaderHidden: true,
      cell: (invitation) => (
        <RowActions>
          <Button
            variant="quiet"
            aria-label={copy.resendOf(invitation.name)}
            aria-disabled={isSending}
            onClick={() => (isSending ? undefined : onResend(invitation.id))}
          >
            {copy.resend}
          </Button>
          <Button
            variant="quiet"
            aria-label={copy.withdrawOf(invitation.name)}
            onClick={() => onWithdraw(invitation)}
          >
            {copy.withdraw}
          </Button>
        </RowActions>
      ),
    },
  ];
}

/** Name and email address of an account or an invitation. */
export function personColumns<Row extends { name: string; email: string; isOwn?: boolean }>(): Column<Row>[] {
  return [
    {
      key: 'name',
      header: teamCopy.columns.name,
      isRowHeader: true,
      Cell: NameHeader,
      cell: ({ name, isOwn }) => <Typed>{isOwn === true ? `${name} (${teamCopy.own})` : name}</Typed>,
    },
    {
      key: 'email',
      header: teamCopy.columns.email,
      cell: ({ email }) => (
        <Typed>
          <BreakAnywhere text={email} before="@" />
        </Typed>
      ),
    },
  ];
}

/** A phone shows no header beside the date. */
export const PhoneLabel = styled.span`
  color: ${token.muted};

  ${media.tablet} {
    display: none;
  }
`;
