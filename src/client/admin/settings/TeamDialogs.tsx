import { useState } from 'react';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { toText } from '#client/admin/kit/text.ts';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field } from '#client/ui/Field.tsx';
import { Select } from '#client/ui/Select.tsx';
import { passwordLengthMax, type StaffAccount } from '#shared/admin/access.ts';
import { type StaffRole, staffRoles } from '#shared/admin/staff.ts';
import { roleCopy, teamCopy } from './copy.ts';

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
  /** Null while the dialog is closed. */
  account: StaffAccount | null;
  onClose: () => void;
}

export function PasswordDialog({ account, onClose }: AccountDialogProps) {
  const setPassword = adminApi.admin.accounts.setPassword.useMutation();
  const title = account === null ? teamCopy.setPassword : teamCopy.setPasswordOf(account.name);
  return (
    <Dialog open={account !== null} onClose={onClose} title={title}>
      {account === null ? null : (
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
      )}
    </Dialog>
  );
}

export function RemoveDialog({ account, onClose }: AccountDialogProps) {
  const remove = adminApi.admin.accounts.remove.useMutation();
  const title = account === null ? teamCopy.remove : teamCopy.removeOf(account.name);
  return (
    <Dialog open={account !== null} onClose={onClose} title={title}>
      {account === null ? null : (
        <ActionForm
          submitLabel={teamCopy.remove}
          onClose={onClose}
          act={() => remove.mutateAsync({ id: account.id })}
          done={() => teamCopy.removed(account.name)}
        >
          {() => <p>{teamCopy.removeNote}</p>}
        </ActionForm>
      )}
    </Dialog>
  );
}
