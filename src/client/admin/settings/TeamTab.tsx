import { useState } from 'react';
import { styled } from 'styled-components';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { instantText } from '#client/admin/kit/times.ts';
import { toApiError } from '#client/api/trpc.ts';
import { Button } from '#client/ui/Button.tsx';
import { Select } from '#client/ui/Select.tsx';
import { Table, TableFrame } from '#client/ui/Table.tsx';
import { showToast } from '#client/ui/Toast.tsx';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import { roleCopy, settingsCopy, teamCopy } from '#client/admin/settings/copy.ts';
import { staffRoles } from '#shared/admin/staff.ts';
import type { StaffAccount } from '#shared/admin/staffAccounts.ts';
import { formCopy } from '../kit/copy.ts';
import { Empty, RowActions, SettingsFrame } from '../kit/SettingsFrame.tsx';
import { AddPersonDialog, PasswordDialog, RemoveDialog } from './TeamDialogs.tsx';

type Open = { kind: 'add' } | { kind: 'password' | 'remove'; account: StaffAccount } | null;

/** The named accounts of the staff, for owners. */
export function TeamTab() {
  const accounts = adminApi.staffAccounts.list.useQuery(undefined, { refetchOnMount: 'always' });
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
      {accounts.data?.length === 0 ? <Empty>{teamCopy.empty}</Empty> : null}
      {accounts.data === undefined || accounts.data.length === 0 ? null : (
        <AccountTable accounts={accounts.data} onOpen={setOpen} />
      )}
      <AddPersonDialog open={open?.kind === 'add'} onClose={close} />
      <PasswordDialog account={open?.kind === 'password' ? open.account : null} onClose={close} />
      <RemoveDialog account={open?.kind === 'remove' ? open.account : null} onClose={close} />
    </SettingsFrame>
  );
}

function AccountTable({
  accounts,
  onOpen,
}: {
  accounts: readonly StaffAccount[];
  onOpen: (open: Open) => void;
}) {
  const { columns } = teamCopy;
  return (
    <TableFrame label={teamCopy.caption}>
      <Table>
        <thead>
          <tr>
            <th scope="col">{columns.name}</th>
            <th scope="col">{columns.email}</th>
            <th scope="col">{columns.role}</th>
            <th scope="col">{columns.lastSignIn}</th>
            <th scope="col">
              <VisuallyHidden>{columns.actions}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <tr key={account.id}>
              <th scope="row">
                {account.name}
                {account.isOwn ? ` (${teamCopy.own})` : ''}
              </th>
              <td>{account.email}</td>
              <td>
                <Role account={account} />
              </td>
              <td>
                {account.last_sign_in_at === null ? settingsCopy.never : instantText(account.last_sign_in_at)}
              </td>
              <td>
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
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  );
}

const RoleSelect = styled(Select)`
  min-inline-size: 7.5rem;
`;

const roleOptions = staffRoles.map((role) => ({ value: role, label: roleCopy[role].name }));

/** A choice that counts at once; nobody changes their own. */
function Role({ account }: { account: StaffAccount }) {
  const utils = adminApi.useUtils();
  const change = adminApi.staffAccounts.setRole.useMutation({
    onSuccess: () => showToast({ title: teamCopy.roleChanged(account.name), tone: 'success' }),
    onError: (error) =>
      showToast({ title: toApiError(error).userMessage ?? formCopy.failed, tone: 'destructive' }),
    onSettled: () => utils.staffAccounts.list.invalidate(),
  });
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
