import { useState } from 'react';
import { styled } from 'styled-components';
import { BreakAnywhere, Typed } from '#client/admin/kit/BreakAnywhere.tsx';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { Empty, NameHeader, RowActions, SettingsFrame } from '#client/admin/kit/SettingsFrame.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { formCopy } from '#client/admin/kit/copy.ts';
import { Stack } from '#client/admin/kit/layout.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { media, token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Select } from '#client/ui/Select.tsx';
import { StackedTable } from '#client/ui/Table.tsx';
import type { StaffAccount } from '#shared/admin/access.ts';
import { staffRoles } from '#shared/admin/staff.ts';
import { SuppressionList } from './SuppressionList.tsx';
import { AddPersonDialog, PasswordDialog, RemoveDialog } from './TeamDialogs.tsx';
import { roleCopy, settingsCopy, teamCopy } from './copy.ts';

type Open = { kind: 'add' } | { kind: 'password' | 'remove'; account: StaffAccount } | null;

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
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  return (
    <SettingsFrame
      lead={teamCopy.lead}
      action={<Button onClick={() => setOpen({ kind: 'add' })}>{teamCopy.add}</Button>}
      error={accounts.error}
      fallback={settingsCopy.loadFailed.team}
      isLoading={accounts.isLoading}
    >
      {accounts.data === undefined ? null : (
        <DataTable
          caption={teamCopy.caption}
          columns={accountColumns(setOpen)}
          rows={accounts.data}
          empty={<Empty>{teamCopy.empty}</Empty>}
          as={StackedTable}
        />
      )}
      <AddPersonDialog open={open?.kind === 'add'} onClose={close} />
      <PasswordDialog account={open?.kind === 'password' ? open.account : null} onClose={close} />
      <RemoveDialog account={open?.kind === 'remove' ? open.account : null} onClose={close} />
    </SettingsFrame>
  );
}

function accountColumns(onOpen: (open: Open) => void): Column<StaffAccount>[] {
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
          <Button
            variant="quiet"
            aria-label={teamCopy.setPasswordOf(account.name)}
            onClick={() => onOpen({ kind: 'password', account })}
          >
            {teamCopy.setPassword}
          </Button>
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

/** A phone shows no header beside the date. */
const PhoneLabel = styled.span`
  color: ${token.muted};

  ${media.tablet} {
    display: none;
  }
`;

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
