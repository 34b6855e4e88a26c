import { useState } from 'react';
import { ActionDialog, ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { toText } from '#client/admin/kit/text.ts';
import { Field } from '#client/ui/Field.tsx';
import { Select } from '#client/ui/Select.tsx';
import { passwordLengthMax, type StaffAccount } from '#shared/admin/access.ts';
import { type StaffRole, staffRoles } from '#shared/admin/staff.ts';
import { accountActs, roleCopy, teamCopy } from './copy.ts';

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

/** Invites a person, or adds one with a first password: where email isn't configured, an owner types it. */
export function NewPerson({ sendsMail, onClose }: { sendsMail: boolean; onClose: () => void }) {
  const invite = adminApi.admin.accounts.invite.useMutation();
  const create = adminApi.admin.accounts.create.useMutation();
  const [role, setRole] = useState<StaffRole>('viewer');
  async function act(data: FormData): Promise<string> {
    const person = { name: toText(data, 'name'), email: toText(data, 'email'), role };
    if (sendsMail) {
      const { name, isSent } = await invite.mutateAsync(person);
      return isSent ? teamCopy.invited(name) : teamCopy.invitations.notSent(name);
    }
    const { name } = await create.mutateAsync({ ...person, password: toText(data, 'password') });
    return teamCopy.added(name);
  }
  return (
    <ActionForm
      {...(sendsMail ? { note: teamCopy.invitedNote } : {})}
      submitLabel={sendsMail ? teamCopy.invite : teamCopy.add}
      onClose={onClose}
      act={act}
      done={(text) => text}
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
          {sendsMail ? null : <PasswordField error={errors['password']} />}
        </>
      )}
    </ActionForm>
  );
}

interface AccountDialogProps {
  kind: keyof typeof accountActs;
  account: StaffAccount;
  onClose: () => void;
}

/** What owners do to an account. Only a password needs a field: where email isn't configured, an owner types it. */
export function AccountDialog({ kind, account: { id, name }, onClose }: AccountDialogProps) {
  const setPassword = adminApi.admin.accounts.setPassword.useMutation();
  const resetFactor = adminApi.admin.secondFactor.reset.useMutation();
  const unlink = adminApi.admin.accounts.unlink.useMutation();
  const remove = adminApi.admin.accounts.remove.useMutation();
  const { title, note, label, done } = accountActs[kind];
  const act = (data: FormData): Promise<unknown> =>
    kind === 'password'
      ? setPassword.mutateAsync({ id, password: toText(data, 'password') })
      : { resetFactor, unlink, remove }[kind].mutateAsync({ id });
  return (
    <ActionDialog
      title={title(name)}
      note={note}
      submitLabel={label}
      isDangerous={kind !== 'password'}
      onClose={onClose}
      act={act}
      done={() => done(name)}
    >
      {(errors) => (kind === 'password' ? <PasswordField error={errors['password']} /> : null)}
    </ActionDialog>
  );
}
