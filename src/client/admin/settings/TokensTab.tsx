import { useState } from 'react';
import { styled } from 'styled-components';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { dayText, instantText } from '#client/admin/kit/times.ts';
import { Button } from '#client/ui/Button.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Table, TableFrame } from '#client/ui/Table.tsx';
import { showToast } from '#client/ui/Toast.tsx';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import type { ApiToken } from '#shared/admin/apiTokens.ts';
import { settingsCopy, tokenCopy } from '#client/admin/settings/copy.ts';
import { ActionForm } from '../kit/ActionForm.tsx';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import { Empty, RowActions, SettingsFrame } from '../kit/SettingsFrame.tsx';

/** The tokens of scripts, for owners. */
export function TokensTab() {
  const tokens = adminApi.apiTokens.list.useQuery(undefined, { refetchOnMount: 'always' });
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
      {tokens.data?.length === 0 ? <Empty>{tokenCopy.empty}</Empty> : null}
      {tokens.data === undefined || tokens.data.length === 0 ? null : (
        <TokenTable tokens={tokens.data} onRevoke={setRevoking} />
      )}
      <NewTokenDialog open={isMaking} onClose={() => setIsMaking(false)} />
      <RevokeDialog token={revoking} onClose={() => setRevoking(null)} />
    </SettingsFrame>
  );
}

function TokenTable({
  tokens,
  onRevoke,
}: {
  tokens: readonly ApiToken[];
  onRevoke: (token: ApiToken) => void;
}) {
  const { columns } = tokenCopy;
  return (
    <TableFrame label={tokenCopy.caption}>
      <Table>
        <thead>
          <tr>
            <th scope="col">{columns.name}</th>
            <th scope="col">{columns.token}</th>
            <th scope="col">{columns.scopes}</th>
            <th scope="col">{columns.madeBy}</th>
            <th scope="col">{columns.lastUsed}</th>
            <th scope="col">
              <VisuallyHidden>{columns.actions}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.id}>
              <th scope="row">{token.name}</th>
              <td>
                <Code>{token.prefix}…</Code>
              </td>
              <td>{token.scopes.join(', ')}</td>
              <td>
                {token.created_by}, {dayText(token.created_at)}
              </td>
              <td>{token.last_used_at === null ? settingsCopy.never : instantText(token.last_used_at)}</td>
              <td>
                {token.revoked_at === null ? (
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
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  );
}

function RevokeDialog({ token, onClose }: { token: ApiToken | null; onClose: () => void }) {
  const utils = adminApi.useUtils();
  const revoke = adminApi.apiTokens.revoke.useMutation();
  return (
    <Dialog
      open={token !== null}
      onClose={onClose}
      title={token === null ? tokenCopy.revoke : tokenCopy.revokeOf(token.name)}
    >
      {token === null ? null : (
        <ActionForm
          submitLabel={tokenCopy.revoke}
          onCancel={onClose}
          act={async () => {
            await revoke.mutateAsync({ id: token.id });
            await utils.apiTokens.list.invalidate();
            onClose();
            showToast({ title: tokenCopy.revoked(token.name), tone: 'success' });
          }}
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
