import { useState } from 'react';
import { Empty, SettingsFrame } from '#client/admin/kit/SettingsFrame.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Stack } from '#client/admin/kit/layout.tsx';
import { Button } from '#client/ui/Button.tsx';
import { EndpointCard } from './EndpointCard.tsx';
import { type EndpointAction, EndpointDialogs } from './EndpointDialogs.tsx';
import { endpointCopy } from './copy.ts';

/** The endpoints that receive events; for owners. */
export function WebhooksTab() {
  const endpoints = adminApi.admin.webhooks.list.useQuery(undefined, {
    refetchOnMount: 'always',
    select: (output) => output.endpoints,
  });
  const [action, setAction] = useState<EndpointAction | null>(null);
  const list = endpoints.data ?? [];
  return (
    <SettingsFrame
      lead={endpointCopy.lead}
      action={<Button onClick={() => setAction({ kind: 'add' })}>{endpointCopy.add}</Button>}
      error={endpoints.error}
      fallback={endpointCopy.loadFailed}
      isLoading={endpoints.isLoading}
    >
      {endpoints.data?.length === 0 ? <Empty>{endpointCopy.empty}</Empty> : null}
      {list.length === 0 ? null : (
        <Stack as="ul" $gap="0.75rem" aria-label={endpointCopy.list}>
          {list.map((endpoint) => (
            <li key={endpoint.id}>
              <EndpointCard endpoint={endpoint} onAction={setAction} />
            </li>
          ))}
        </Stack>
      )}
      <EndpointDialogs action={action} onClose={() => setAction(null)} />
    </SettingsFrame>
  );
}
