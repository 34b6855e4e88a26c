import { useState } from 'react';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { toText } from '#client/admin/kit/text.ts';
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

const explainedRoles = staffRoles.map((role) => ({
  value: role,
  label: `${roleCopy[role].name}: ${roleCopy[role].may}`,
}));

interface PersonFieldsProps {
  errors: Readonly<Record<string, string>>;
  role: StaffRole;
  onRole: (role: StaffRole) => void;
}

function PersonFields({ errors, role, onRole }: PersonFieldsProps) {
  return (
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
        onChoose={(value) => onRole(staffRoles.find((known) => known === value) ?? 'viewer')}
      />
    </>
  );
}

/** Where email isn't configured, an owner types the person's first password. */
export function AddPerson({ onClose }: { onClose: () => void }) {
  const create = adminApi.admin.accounts.create.useMutation();
  const [role, setRole] = useState<StaffRole>('viewer');
  return (
    <ActionForm
      submitLabel={teamCopy.add}
      onClose={onClose}
      act={(data) => create.mutateAsync({ ...readPerson(data), password: toText(data, 'password'), role })}
      done={({ name }) => teamCopy.added(name)}
    >
      {(errors) => (
        <>
          <PersonFields errors={errors} role={role} onRole={setRole} />
          <PasswordField error={errors['password']} />
        </>
      )}
    </ActionForm>
  );
}

export function InvitePerson({ onClose }: { onClose: () => void }) {
  const invite = adminApi.admin.accounts.invite.useMutation();
  const [role, setRole] = useState<StaffRole>('viewer');
  return (
    <ActionForm
      submitLabel={teamCopy.invite}
      onClose={onClose}
      act={(data) => invite.mutateAsync({ ...readPerson(data), role })}
      done={({ name, isSent }) => (isSent ? teamCopy.invited(name) : teamCopy.invitations.notSent(name))}
    >
      {(errors) => (
        <>
          <p>{teamCopy.invitedNote}</p>
          <PersonFields errors={errors} role={role} onRole={setRole} />
        </>
      )}
    </ActionForm>
  );
}

function readPerson(data: FormData): { name: string; email: string } {
  return { name: toText(data, 'name'), email: toText(data, 'email') };
}

export interface AccountFormProps {
  account: StaffAccount;
  onClose: () => void;
}

export function SetPassword({ account, onClose }: AccountFormProps) {
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
