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
import { roleWords, settingsWords, teamWords } from '#client/admin/settings/copy.ts';
import { staffRoles } from '#shared/admin/staff.ts';
import type { StaffAccount } from '#shared/admin/staffAccounts.ts';
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
      lead={teamWords.lead}
      action={<Button onClick={() => setOpen({ kind: 'add' })}>{teamWords.add}</Button>}
      error={accounts.error}
      fallback={settingsWords.loadFailed.team}
      isLoading={accounts.isLoading}
    >
      {accounts.data?.length === 0 ? <Empty>{teamWords.empty}</Empty> : null}
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
  const { columns } = teamWords;
  return (
    <TableFrame label={teamWords.caption}>
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
                {account.isOwn ? ` (${teamWords.own})` : ''}
              </th>
              <td>{account.email}</td>
              <td>
                <Role account={account} />
              </td>
              <td>
                {account.last_sign_in_at === null
                  ? settingsWords.never
                  : instantText(account.last_sign_in_at)}
              </td>
              <td>
                <RowActions>
                  <Button
                    variant="quiet"
                    aria-label={teamWords.setPasswordOf(account.name)}
                    onClick={() => onOpen({ kind: 'password', account })}
                  >
                    {teamWords.setPassword}
                  </Button>
                  {account.isOwn ? null : (
                    <Button
                      variant="quiet"
                      aria-label={teamWords.removeOf(account.name)}
                      onClick={() => onOpen({ kind: 'remove', account })}
                    >
                      {teamWords.remove}
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

const roleOptions = staffRoles.map((role) => ({ value: role, label: roleWords[role].name }));

/** A choice that counts at once; nobody changes their own. */
function Role({ account }: { account: StaffAccount }) {
  const utils = adminApi.useUtils();
  const change = adminApi.staffAccounts.setRole.useMutation({
    onSuccess: () => showToast({ title: teamWords.roleChanged(account.name), tone: 'success' }),
    onError: (error) =>
      showToast({ title: toApiError(error).userMessage ?? settingsWords.failed, tone: 'destructive' }),
    onSettled: () => utils.staffAccounts.list.invalidate(),
  });
  if (account.isOwn) return roleWords[account.role].name;
  return (
    <RoleSelect
      label={teamWords.roleOf(account.name)}
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
