import { useState } from 'react';
import { styled } from 'styled-components';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { Typed } from '#client/admin/kit/BreakAnywhere.tsx';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { Empty, NameHeader, RowActions, SettingsFrame } from '#client/admin/kit/SettingsFrame.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { dayText } from '#client/admin/kit/times.ts';
import { Button } from '#client/ui/Button.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import type { ApiToken } from '#shared/admin/access.ts';
import { scopeCopy, settingsCopy, tokenCopy } from './copy.ts';
import { SecretOnce } from '#client/admin/kit/SecretOnce.tsx';
import { Legend } from '#client/admin/kit/layout.tsx';
import { toText } from '#client/admin/kit/text.ts';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Field, FieldError } from '#client/ui/Field.tsx';
import { tokenScopes } from '#shared/admin/staff.ts';

/** The API tokens of scripts, for owners. */
export function TokensTab() {
  const tokens = adminApi.admin.apiTokens.list.useQuery(undefined, { refetchOnMount: 'always' });
  const [isMaking, setIsMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  return (
    <SettingsFrame
      lead={tokenCopy.lead}
      action={<Button onClick={() => setIsMaking(true)}>{tokenCopy.add}</Button>}
      error={tokens.error}
      fallback={settingsCopy.loadFailed.tokens}
      isLoading={tokens.isLoading}
    >
      {tokens.data === undefined ? null : (
        <DataTable
          caption={tokenCopy.caption}
          columns={tokenColumns(setRevoking)}
          rows={tokens.data}
          empty={<Empty>{tokenCopy.empty}</Empty>}
        />
      )}
      <NewTokenDialog open={isMaking} onClose={() => setIsMaking(false)} />
      <RevokeDialog token={revoking} onClose={() => setRevoking(null)} />
    </SettingsFrame>
  );
}

function tokenColumns(onRevoke: (token: ApiToken) => void): Column<ApiToken>[] {
  const { columns } = tokenCopy;
  return [
    {
      key: 'name',
      header: columns.name,
      isRowHeader: true,
      Cell: NameHeader,
      cell: ({ name }) => <Typed>{name}</Typed>,
    },
    { key: 'token', header: columns.token, cell: ({ prefix }) => <Code>{prefix}…</Code> },
    { key: 'scopes', header: columns.scopes, cell: ({ scopes }) => scopes.join(', ') },
    {
      key: 'createdBy',
      header: columns.madeBy,
      cell: (token) => <Typed>{`${token.created_by}, ${dayText(token.created_at)}`}</Typed>,
    },
    {
      key: 'lastUsed',
      header: columns.lastUsed,
      cell: ({ last_used_at: at }) => (at === null ? settingsCopy.never : <Instant iso={at} />),
    },
    {
      key: 'actions',
      header: columns.actions,
      isHeaderHidden: true,
      cell: (token) =>
        token.revoked_at === null ? (
          <RowActions>
            <Button
              variant="quiet"
              aria-label={tokenCopy.revokeOf(token.name)}
              onClick={() => onRevoke(token)}
            >
              {tokenCopy.revoke}
            </Button>
          </RowActions>
        ) : (
          tokenCopy.revokedOn(dayText(token.revoked_at))
        ),
    },
  ];
}

function RevokeDialog({ token, onClose }: { token: ApiToken | null; onClose: () => void }) {
  const revoke = adminApi.admin.apiTokens.revoke.useMutation();
  return (
    <Dialog
      open={token !== null}
      onClose={onClose}
      title={token === null ? tokenCopy.revoke : tokenCopy.revokeOf(token.name)}
    >
      {token === null ? null : (
        <ActionForm
          submitLabel={tokenCopy.revoke}
          onClose={onClose}
          act={() => revoke.mutateAsync({ id: token.id })}
          done={() => tokenCopy.revoked(token.name)}
        >
          {() => <p>{tokenCopy.revokeNote}</p>}
        </ActionForm>
      )}
    </Dialog>
  );
}

const Code = styled.code`
  font-size: 0.875rem;
`;

/** Creates a token and shows it once. Closing the dialog forgets it. */
function NewTokenDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
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
