import { useState } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field } from '#client/ui/Field.tsx';
import { Select } from '#client/ui/Select.tsx';
import { showToast } from '#client/ui/Toast.tsx';
import { roleCopy, teamCopy } from './copy.ts';
import { staffRoles, type StaffRole } from '#shared/admin/staff.ts';
import { passwordLengthMax, type StaffAccount } from '#shared/admin/staffAccounts.ts';
import { ActionForm, textOf } from '#client/admin/kit/ActionForm.tsx';

/** Lists the accounts anew, says what was done, and closes. */
function useDone(onClose: () => void): (said: string) => Promise<void> {
  const utils = adminApi.useUtils();
  return async (said) => {
    await utils.staffAccounts.list.invalidate();
    onClose();
    showToast({ title: said, tone: 'success' });
  };
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

const roleOptions = staffRoles.map((role) => ({
  value: role,
  label: `${roleCopy[role].name}: ${roleCopy[role].may}`,
}));

export function AddPersonDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={teamCopy.add}>
      <AddPerson onClose={onClose} />
    </Dialog>
  );
}

function AddPerson({ onClose }: { onClose: () => void }) {
  const create = adminApi.staffAccounts.create.useMutation();
  const done = useDone(onClose);
  const [role, setRole] = useState<StaffRole>('viewer');
  return (
    <ActionForm
      submitLabel={teamCopy.add}
      onCancel={onClose}
      act={async (data) => {
        const [name, email, password] = [
          textOf(data, 'name'),
          textOf(data, 'email'),
          textOf(data, 'password'),
        ];
        const created = await create.mutateAsync({ name, email, password, role });
        await done(teamCopy.added(created.name));
      }}
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
            options={roleOptions}
            value={role}
            onChoose={(value) => setRole(staffRoles.find((known) => known === value) ?? 'viewer')}
          />
          <PasswordField error={errors['password']} />
        </>
      )}
    </ActionForm>
  );
}

interface AccountDialogProps {
  /** Whose; null while it is closed. */
  account: StaffAccount | null;
  onClose: () => void;
}

export function PasswordDialog({ account, onClose }: AccountDialogProps) {
  const setPassword = adminApi.staffAccounts.setPassword.useMutation();
  const done = useDone(onClose);
  const title = account === null ? teamCopy.setPassword : teamCopy.setPasswordOf(account.name);
  return (
    <Dialog open={account !== null} onClose={onClose} title={title}>
      {account === null ? null : (
        <ActionForm
          submitLabel={teamCopy.setPassword}
          onCancel={onClose}
          act={async (data) => {
            await setPassword.mutateAsync({ id: account.id, password: textOf(data, 'password') });
            await done(teamCopy.passwordChanged(account.name));
          }}
        >
          {(errors) => (
            <>
              <p>{teamCopy.passwordNote}</p>
              <PasswordField error={errors['password']} />
            </>
          )}
        </ActionForm>
      )}
    </Dialog>
  );
}

export function RemoveDialog({ account, onClose }: AccountDialogProps) {
  const remove = adminApi.staffAccounts.remove.useMutation();
  const done = useDone(onClose);
  const title = account === null ? teamCopy.remove : teamCopy.removeOf(account.name);
  return (
    <Dialog open={account !== null} onClose={onClose} title={title}>
      {account === null ? null : (
        <ActionForm
          submitLabel={teamCopy.remove}
          onCancel={onClose}
          act={async () => {
            await remove.mutateAsync({ id: account.id });
            await done(teamCopy.removed(account.name));
          }}
        >
          {() => <p>{teamCopy.removeNote}</p>}
        </ActionForm>
      )}
    </Dialog>
  );
}
