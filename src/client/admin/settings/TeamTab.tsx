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
import { passwordLengthMax, type StaffAccount } from '#shared/admin/access.ts';
import { type StaffRole, staffRoles } from '#shared/admin/staff.ts';
import { SuppressionList } from './SuppressionList.tsx';
import { RequiredRoles, ResetFactor, useTeamFactors } from './TeamSecondFactor.tsx';
import { roleCopy, settingsCopy, teamCopy } from './copy.ts';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { toText } from '#client/admin/kit/text.ts';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field } from '#client/ui/Field.tsx';

type Open = { kind: 'add' } | { kind: 'password' | 'remove' | 'reset-factor'; account: StaffAccount } | null;

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
          columns={accountColumns(setOpen, new Set(factors.data?.accounts))}
          rows={accounts.data}
          empty={<Empty>{teamCopy.empty}</Empty>}
          as={StackedTable}
        />
      )}
      <RequiredRoles />
      <Dialog open={open !== null} onClose={close} title={open === null ? '' : getTitle(open)}>
        {open?.kind === 'add' ? <AddPerson onClose={close} /> : null}
        {open?.kind === 'password' ? <SetPassword account={open.account} onClose={close} /> : null}
        {open?.kind === 'reset-factor' ? <ResetFactor account={open.account} onClose={close} /> : null}
        {open?.kind === 'remove' ? <RemoveAccount account={open.account} onClose={close} /> : null}
      </Dialog>
    </SettingsFrame>
  );
}

function accountColumns(
  onOpen: (open: Open) => void,
  withFactor: ReadonlySet<number>,
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
          <Button
            variant="quiet"
            aria-label={teamCopy.setPasswordOf(account.name)}
            onClick={() => onOpen({ kind: 'password', account })}
          >
            {teamCopy.setPassword}
          </Button>
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

function PasswordField({ error }: { error: string | undefined }) {
  return (
    <Field
      label={teamCopy.password}
      name="password"
      type="password"
      autoComplete="new-password"
      maxLength={passwordLengthMax}
      hint={teamCopy.passwordHint}
      error={error}
    />
  );
}

const explainedRoles = staffRoles.map((role) => ({
  value: role,
  label: `${roleCopy[role].name}: ${roleCopy[role].may}`,
}));

function getTitle(open: NonNullable<Open>): string {
  if (open.kind === 'add') return teamCopy.add;
  if (open.kind === 'reset-factor') return teamCopy.resetFactorOf(open.account.name);
  return (open.kind === 'password' ? teamCopy.setPasswordOf : teamCopy.removeOf)(open.account.name);
}

function AddPerson({ onClose }: { onClose: () => void }) {
  const create = adminApi.admin.accounts.create.useMutation();
  const [role, setRole] = useState<StaffRole>('viewer');
  return (
    <ActionForm
      submitLabel={teamCopy.add}
      onClose={onClose}
      act={(data) =>
        create.mutateAsync({
          name: toText(data, 'name'),
          email: toText(data, 'email'),
          password: toText(data, 'password'),
          role,
        })
      }
      done={({ name }) => teamCopy.added(name)}
    >
      {(errors) => (
        <>
          <Field
            label={teamCopy.columns.name}
            name="name"
            autoComplete="off"
            maxLength={100}
            error={errors['name']}
          />
          <Field
            label={teamCopy.columns.email}
            name="email"
            type="email"
            autoComplete="off"
            maxLength={254}
            error={errors['email']}
          />
          <Select
            label={teamCopy.columns.role}
            options={explainedRoles}
            value={role}
            onChoose={(value) => setRole(staffRoles.find((known) => known === value) ?? 'viewer')}
          />
          <PasswordField error={errors['password']} />
        </>
      )}
    </ActionForm>
  );
}

interface AccountFormProps {
  account: StaffAccount;
  onClose: () => void;
}

function SetPassword({ account, onClose }: AccountFormProps) {
  const setPassword = adminApi.admin.accounts.setPassword.useMutation();
  return (
    <ActionForm
      submitLabel={teamCopy.setPassword}
      onClose={onClose}
      act={(data) => setPassword.mutateAsync({ id: account.id, password: toText(data, 'password') })}
      done={() => teamCopy.passwordChanged(account.name)}
    >
      {(errors) => (
        <>
          <p>{teamCopy.passwordNote}</p>
          <PasswordField error={errors['password']} />
        </>
      )}
    </ActionForm>
  );
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
