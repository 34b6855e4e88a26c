import { useState } from 'react';
import { styled } from 'styled-components';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { Empty, RowActions, SessionList, SettingsFrame } from '#client/admin/kit/SettingsFrame.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { formCopy, sessionCopy } from '#client/admin/kit/copy.ts';
import { Row, Stack } from '#client/admin/kit/layout.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { Button } from '#client/ui/Button.tsx';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Select } from '#client/ui/Select.tsx';
import { StackedTable } from '#client/ui/Table.tsx';
import type { StaffAccount } from '#shared/admin/access.ts';
import type { TeamFactors } from '#shared/admin/secondFactor.ts';
import { staffRoles } from '#shared/admin/staff.ts';
import { Invitations, personColumns, PhoneLabel } from './Invitations.tsx';
import { AccountDialog, NewPerson } from './PersonForms.tsx';
import { SuppressionList } from './SuppressionList.tsx';
import { accountActs, roleCopy, settingsCopy, teamCopy } from './copy.ts';
import { Dialog } from '#client/ui/Dialog.tsx';

type AccountAct = keyof typeof accountActs;
type Open = { kind: 'new' | 'sessions' } | { kind: AccountAct; account: StaffAccount } | null;

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
  const addLabel = sendsMail ? teamCopy.invite : teamCopy.add;
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const chosen = open !== null && 'account' in open ? open : null;
  return (
    <SettingsFrame
      lead={teamCopy.lead}
      action={
        <Row>
          <Button variant="secondary" onClick={() => setOpen({ kind: 'sessions' })}>
            {teamCopy.sessions}
          </Button>
          {invited.data === undefined ? null : (
            <Button onClick={() => setOpen({ kind: 'new' })}>{addLabel}</Button>
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
            columns={accountColumns(setOpen, { sendsMail, factors: factors.data })}
            rows={accounts.data}
            empty={<Empty>{teamCopy.empty}</Empty>}
            as={StackedTable}
          />
          <Invitations invitations={invited.data.invitations} />
        </Stack>
      )}
      <RequiredRoles />
      <Dialog open={open?.kind === 'new'} onClose={close} title={addLabel}>
        <NewPerson sendsMail={sendsMail} onClose={close} />
      </Dialog>
      <Dialog open={open?.kind === 'sessions'} onClose={close} title={teamCopy.sessions}>
        <TeamSessions />
      </Dialog>
      {chosen === null ? null : <AccountDialog {...chosen} onClose={close} />}
    </SettingsFrame>
  );
}

function accountColumns(
  onOpen: (open: Open) => void,
  { sendsMail, factors }: { sendsMail: boolean; factors: TeamFactors | undefined },
): Column<StaffAccount>[] {
  const [withFactor, linked] = [new Set(factors?.accounts), new Set(factors?.linked)];
  const listActs = ({ id, isOwn }: StaffAccount): AccountAct[] => [
    ...(sendsMail ? [] : (['password'] as const)),
    ...(isOwn || !withFactor.has(id) ? [] : (['resetFactor'] as const)),
    ...(linked.has(id) ? (['unlink'] as const) : []),
    ...(isOwn ? [] : (['remove'] as const)),
  ];
  const { columns } = teamCopy;
  return [
    ...personColumns<StaffAccount>(),
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
          {sendsMail ? <SendReset account={account} /> : null}
          {listActs(account).map((kind) => (
            <Button
              key={kind}
              variant="quiet"
              aria-label={accountActs[kind].title(account.name)}
              onClick={() => onOpen({ kind, account })}
            >
              {accountActs[kind].label}
            </Button>
          ))}
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
  const report = { done: teamCopy.roleChanged(account.name), failed: formCopy.failed };
  const undo = adminApi.admin.accounts.setRole.useMutation(withReport(report));
  const change = adminApi.admin.accounts.setRole.useMutation(
    withReport({
      ...report,
      undo:
        (_, { id, role, from }) =>
        () =>
          undo.mutate({ id, role: from ?? account.role, from: role, isUndo: true }),
    }),
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
        if (role !== undefined) change.mutate({ id: account.id, role, from: account.role });
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
    <SessionList
      lead={teamCopy.sessionsNote}
      sessions={sessions}
      isBusy={end.isPending}
      onEnd={(id) => end.mutate({ id })}
      hasNames
    />
  );
}

function useTeamFactors() {
  return adminApi.admin.secondFactor.team.useQuery(undefined, { refetchOnMount: 'always' });
}

/** Which roles need two-factor sign-in. A choice applies immediately. */
function RequiredRoles() {
  const { data } = useTeamFactors();
  const change = adminApi.admin.secondFactor.requireFor.useMutation(
    withReport({ done: teamCopy.requiredChanged, failed: formCopy.failed, isOneLine: true }),
  );
  if (data === undefined) return null;
  const roles = change.isPending ? change.variables.roles : data.requiredRoles;
  return (
    <Group>
      <legend>{teamCopy.required}</legend>
      <p>{teamCopy.requiredNote}</p>
      {staffRoles.map((role) => (
        <Checkbox
          key={role}
          name={`second-factor-${role}`}
          label={roleCopy[role].name}
          checked={roles.includes(role)}
          onChange={({ target }) => {
            if (change.isPending) return;
            const others = roles.filter((other) => other !== role);
            change.mutate({ roles: target.checked ? [...others, role] : others });
          }}
        />
      ))}
    </Group>
  );
}

const Group = styled.fieldset`
  min-inline-size: 0;
  margin: 1.5rem 0 0;
  padding: 0;
  border: 0;

  & > legend {
    padding: 0;
    font-weight: 550;
  }
`;
