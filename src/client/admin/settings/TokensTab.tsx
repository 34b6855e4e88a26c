import { useState } from 'react';
import { styled } from 'styled-components';
import { ActionDialog } from '#client/admin/kit/ActionForm.tsx';
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
import { SecretForm } from '#client/admin/kit/SecretOnce.tsx';
import { Legend } from '#client/admin/kit/layout.tsx';
import { toText } from '#client/admin/kit/text.ts';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Field, FieldError } from '#client/ui/Field.tsx';
import { tokenScopes } from '#shared/admin/staff.ts';

/** The API tokens of scripts, for owners. */
export function TokensTab() {
  const tokens = adminApi.admin.apiTokens.list.useQuery(undefined, { refetchOnMount: 'always' });
  const revoke = adminApi.admin.apiTokens.revoke.useMutation();
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
      <Dialog open={isMaking} onClose={() => setIsMaking(false)} title={tokenCopy.add}>
        <NewToken onClose={() => setIsMaking(false)} />
      </Dialog>
      {revoking === null ? null : (
        <ActionDialog
          title={tokenCopy.revokeOf(revoking.name)}
          note={tokenCopy.revokeNote}
          submitLabel={tokenCopy.revoke}
          onClose={() => setRevoking(null)}
          act={() => revoke.mutateAsync({ id: revoking.id })}
          done={() => tokenCopy.revoked(revoking.name)}
        />
      )}
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

const Code = styled.code`
  font-size: 0.875rem;
`;

function NewToken({ onClose }: { onClose: () => void }) {
  // The result contains the secret, so it is not cached.
  const create = adminApi.admin.apiTokens.create.useMutation({ gcTime: 0 });
  async function act(data: FormData): Promise<{ secret: string; made: string }> {
    const scopes = tokenScopes.filter((scope) => data.getAll('scopes').includes(scope));
    const { token, created } = await create.mutateAsync({ name: toText(data, 'name'), scopes });
    return { secret: token, made: tokenCopy.made(created.name) };
  }
  return (
    <SecretForm submitLabel={tokenCopy.make} onClose={onClose} act={act}>
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
    </SecretForm>
  );
}
