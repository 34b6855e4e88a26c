import { useState } from 'react';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { SecretOnce } from '#client/admin/kit/SecretOnce.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Legend } from '#client/admin/kit/layout.tsx';
import { toText } from '#client/admin/kit/text.ts';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field, FieldError } from '#client/ui/Field.tsx';
import { tokenScopes } from '#shared/admin/staff.ts';
import { scopeCopy, tokenCopy } from './copy.ts';

interface NewTokenProps {
  open: boolean;
  onClose: () => void;
}

/** Creates a token and shows it once. Closing the dialog forgets it. */
export function NewTokenDialog({ open, onClose }: NewTokenProps) {
  return (
    <Dialog open={open} onClose={onClose} title={tokenCopy.add}>
      <NewToken onClose={onClose} />
    </Dialog>
  );
}

function NewToken({ onClose }: { onClose: () => void }) {
  // Only in this state: the mutation's result would outlive the dialog.
  const [made, setMade] = useState<{ name: string; token: string } | null>(null);
  // The result contains the secret, so it is not cached.
  const create = adminApi.admin.apiTokens.create.useMutation({ gcTime: 0 });
  if (made !== null)
    return (
      <SecretOnce secret={made.token} onDone={onClose}>
        <strong>{tokenCopy.made(made.name)}</strong> {tokenCopy.onlyTime}
      </SecretOnce>
    );
  return (
    <ActionForm
      submitLabel={tokenCopy.make}
      onClose={onClose}
      act={async (data) => {
        const scopes = tokenScopes.filter((scope) => data.getAll('scopes').includes(scope));
        const { token: secret, created } = await create.mutateAsync({ name: toText(data, 'name'), scopes });
        setMade({ name: created.name, token: secret });
      }}
    >
      {(errors) => (
        <>
          <Field
            label={tokenCopy.columns.name}
            name="name"
            autoComplete="off"
            maxLength={100}
            error={errors['name']}
          />
          <fieldset>
            <Legend>{tokenCopy.scopes}</Legend>
            {tokenScopes.map((scope) => (
              <Checkbox
                key={scope}
                id={`scope-${scope}`}
                name="scopes"
                value={scope}
                label={
                  <>
                    <code>{scope}</code>: {scopeCopy[scope]}
                  </>
                }
              />
            ))}
            <FieldError id="scopes-error" message={errors['scopes']} />
          </fieldset>
        </>
      )}
    </ActionForm>
  );
}
