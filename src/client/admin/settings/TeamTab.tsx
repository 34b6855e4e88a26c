import { useState } from 'react';
import { styled } from 'styled-components';
import { BreakAnywhere, Typed } from '#client/admin/kit/BreakAnywhere.tsx';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import {
  Empty,
  NameHeader,
  RowActions,
  SessionList,
  SettingsFrame,
} from '#client/admin/kit/SettingsFrame.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { formCopy, sessionCopy } from '#client/admin/kit/copy.ts';
import { Row, Stack } from '#client/admin/kit/layout.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { Button } from '#client/ui/Button.tsx';
import { Select } from '#client/ui/Select.tsx';
import { StackedTable } from '#client/ui/Table.tsx';
import type { StaffAccount } from '#shared/admin/access.ts';
import { staffRoles } from '#shared/admin/staff.ts';
import { Invitations, PhoneLabel } from './Invitations.tsx';
import { type AccountFormProps, AddPerson, InvitePerson, SetPassword } from './PersonForms.tsx';
import { SuppressionList } from './SuppressionList.tsx';
import { RequiredRoles, ResetFactor, useTeamFactors } from './TeamSecondFactor.tsx';
import { roleCopy, settingsCopy, teamCopy } from './copy.ts';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';

type Open =
  | { kind: 'add' | 'invite' | 'sessions' }
  | { kind: 'password' | 'remove' | 'reset-factor'; account: StaffAccount }
  | null;

/** The named accounts of the staff, for owners, and whom nobody may contact, also for managers. */
export function TeamTab({ isOwner }: { isOwner: boolean }) {
  return (
    <Stack $gap="2.5rem">
      {isOwner ? <Accounts /> : null}
      <SuppressionList />
    </Stack>
  );
}

function Accounts() {
  const accounts = adminApi.admin.accounts.list.useQuery(undefined, { refetchOnMount: 'always' });
  const factors = useTeamFactors();
  const invited = adminApi.admin.accounts.invitations.useQuery(undefined, { refetchOnMount: 'always' });
  const sendsMail = invited.data?.sendsMail ?? false;
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  return (
    <SettingsFrame
      lead={teamCopy.lead}
      action={
        <Row>
          <Button variant="secondary" onClick={() => setOpen({ kind: 'sessions' })}>
            {teamCopy.sessions}
          </Button>
          {invited.data === undefined ? null : (
            <Button onClick={() => setOpen({ kind: sendsMail ? 'invite' : 'add' })}>
              {sendsMail ? teamCopy.invite : teamCopy.add}
            </Button>
          )}
        </Row>
      }
      error={accounts.error ?? invited.error}
      fallback={settingsCopy.loadFailed.team}
      isLoading={accounts.isLoading || invited.isLoading}
    >
      {accounts.data === undefined || invited.data === undefined ? null : (
        <Stack $gap="1.5rem">
          <DataTable
            caption={teamCopy.caption}
            columns={accountColumns(setOpen, { sendsMail, withFactor: new Set(factors.data?.accounts) })}
            rows={accounts.data}
            empty={<Empty>{teamCopy.empty}</Empty>}
            as={StackedTable}
          />
          <Invitations invitations={invited.data.invitations} />
        </Stack>
      )}
      <RequiredRoles />
      <Dialog open={open !== null} onClose={close} title={open === null ? '' : getTitle(open)}>
        {open?.kind === 'add' ? <AddPerson onClose={close} /> : null}
        {open?.kind === 'invite' ? <InvitePerson onClose={close} /> : null}
        {open?.kind === 'sessions' ? <TeamSessions /> : null}
        {open?.kind === 'password' ? <SetPassword account={open.account} onClose={close} /> : null}
        {open?.kind === 'reset-factor' ? <ResetFactor account={open.account} onClose={close} /> : null}
        {open?.kind === 'remove' ? <RemoveAccount account={open.account} onClose={close} /> : null}
      </Dialog>
    </SettingsFrame>
  );
}

function accountColumns(
  onOpen: (open: Open) => void,
  { sendsMail, withFactor }: { sendsMail: boolean; withFactor: ReadonlySet<number> },
): Column<StaffAccount>[] {
  const { columns } = teamCopy;
  return [
    {
      key: 'name',
      header: columns.name,
      isRowHeader: true,
      Cell: NameHeader,
      cell: ({ name, isOwn }) => <Typed>{`${name}${isOwn ? ` (${teamCopy.own})` : ''}`}</Typed>,
    },
    {
      key: 'email',
      header: columns.email,
      cell: ({ email }) => (
        <Typed>
          <BreakAnywhere text={email} before="@" />
        </Typed>
      ),
    },
    { key: 'role', header: columns.role, cell: (account) => <Role account={account} /> },
    {
      key: 'factor',
      header: teamCopy.factorColumn,
      cell: ({ id }) => (
        <>
          <PhoneLabel>{teamCopy.factorColumn}: </PhoneLabel>
          {withFactor.has(id) ? teamCopy.factorOn : teamCopy.factorOff}
        </>
      ),
    },
    {
      key: 'lastSignIn',
      header: columns.lastSignIn,
      cell: ({ last_sign_in_at: at }) => (
        <>
          <PhoneLabel>{columns.lastSignIn}: </PhoneLabel>
          {at === null ? settingsCopy.never : <Instant iso={at} />}
        </>
      ),
    },
    {
      key: 'actions',
      header: columns.actions,
      isHeaderHidden: true,
      cell: (account) => (
        <RowActions>
          {sendsMail ? (
            <SendReset account={account} />
          ) : (
            <Button
              variant="quiet"
              aria-label={teamCopy.setPasswordOf(account.name)}
              onClick={() => onOpen({ kind: 'password', account })}
            >
              {teamCopy.setPassword}
            </Button>
          )}
          {account.isOwn || !withFactor.has(account.id) ? null : (
            <Button
              variant="quiet"
              aria-label={teamCopy.resetFactorOf(account.name)}
              onClick={() => onOpen({ kind: 'reset-factor', account })}
            >
              {teamCopy.resetFactor}
            </Button>
          )}
          {account.isOwn ? null : (
            <Button
              variant="quiet"
              aria-label={teamCopy.removeOf(account.name)}
              onClick={() => onOpen({ kind: 'remove', account })}
            >
              {teamCopy.remove}
            </Button>
          )}
        </RowActions>
      ),
    },
  ];
}

const RoleSelect = styled(Select)`
  min-inline-size: 7.5rem;
`;

const roleOptions = staffRoles.map((role) => ({ value: role, label: roleCopy[role].name }));

/** A choice that applies immediately. Nobody changes their own role. */
function Role({ account }: { account: StaffAccount }) {
  const change = adminApi.admin.accounts.setRole.useMutation(
    // In one line, as the dialogs report.
    withReport({ done: teamCopy.roleChanged(account.name), failed: formCopy.failed, isOneLine: true }),
  );
  if (account.isOwn) return roleCopy[account.role].name;
  return (
    <RoleSelect
      label={teamCopy.roleOf(account.name)}
      isLabelHidden
      options={roleOptions}
      value={change.isPending ? change.variables.role : account.role}
      onChoose={(value) => {
        const role = staffRoles.find((known) => known === value);
        if (role !== undefined) change.mutate({ id: account.id, role });
      }}
    />
  );
}

/** Where email is configured, the person chooses the password. */
function SendReset({ account: { id, name } }: { account: StaffAccount }) {
  const send = adminApi.admin.accounts.sendReset.useMutation(
    withReport({
      done: ({ isSent }) => (isSent ? teamCopy.resetSent(name) : teamCopy.invitations.notSent(name)),
      failed: formCopy.failed,
      isOneLine: true,
    }),
  );
  return (
    <Button
      variant="quiet"
      aria-label={teamCopy.sendResetOf(name)}
      aria-disabled={send.isPending}
      onClick={() => (send.isPending ? undefined : send.mutate({ id }))}
    >
      {teamCopy.sendReset}
    </Button>
  );
}

function TeamSessions() {
  const sessions = adminApi.admin.accounts.listSessions.useQuery(undefined, { refetchOnMount: 'always' });
  const end = adminApi.admin.accounts.endSession.useMutation(
    withReport({ done: sessionCopy.ended, failed: formCopy.failed, isOneLine: true }),
  );
  return (
    <SettingsFrame
      lead={teamCopy.sessionsNote}
      error={sessions.error}
      fallback={sessionCopy.loadFailed}
      isLoading={sessions.isLoading}
    >
      {sessions.data === undefined ? null : (
        <SessionList
          sessions={sessions.data}
          onEnd={(id) => (end.isPending ? undefined : end.mutate({ id }))}
          hasNames
        />
      )}
    </SettingsFrame>
  );
}

function getTitle(open: NonNullable<Open>): string {
  if (!('account' in open)) return teamCopy[open.kind];
  if (open.kind === 'reset-factor') return teamCopy.resetFactorOf(open.account.name);
  return (open.kind === 'password' ? teamCopy.setPasswordOf : teamCopy.removeOf)(open.account.name);
}

function RemoveAccount({ account, onClose }: AccountFormProps) {
  const remove = adminApi.admin.accounts.remove.useMutation();
  return (
    <ActionForm
      submitLabel={teamCopy.remove}
      onClose={onClose}
      act={() => remove.mutateAsync({ id: account.id })}
      done={() => teamCopy.removed(account.name)}
    >
      {() => <p>{teamCopy.removeNote}</p>}
    </ActionForm>
  );
}
