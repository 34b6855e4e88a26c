import { useState } from 'react';
import { styled } from 'styled-components';
import { Empty, SettingsFrame } from '#client/admin/kit/SettingsFrame.tsx';
import { Button } from '#client/ui/Button.tsx';
import { endpointCopy } from '#client/admin/webhooks/copy.ts';
import { EndpointCard } from './EndpointCard.tsx';
import { EndpointDialog } from './EndpointDialog.tsx';
import { type Asked, EndpointQuestions } from './EndpointDialogs.tsx';
import { MessageSection } from './MessageSection.tsx';
import { useEndpoints } from './useEndpoints.ts';

/** Where integrators are told of what happens, and what became of it; for owners. */
export function WebhooksTab() {
  const endpoints = useEndpoints();
  const [isAdding, setIsAdding] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const list = endpoints.data ?? [];
  return (
    <SettingsFrame
      lead={endpointCopy.lead}
      action={<Button onClick={() => setIsAdding(true)}>{endpointCopy.add}</Button>}
      error={endpoints.error}
      fallback={endpointCopy.loadFailed}
      isLoading={endpoints.isLoading}
    >
      {endpoints.data?.length === 0 ? <Empty>{endpointCopy.empty}</Empty> : null}
      {list.length === 0 ? null : (
        <List aria-label={endpointCopy.list}>
          {list.map((endpoint) => (
            <li key={endpoint.id}>
              <EndpointCard endpoint={endpoint} onAsk={setAsked} />
            </li>
          ))}
        </List>
      )}
      {endpoints.data === undefined ? null : <MessageSection endpoints={list} />}
      <EndpointDialog open={isAdding} endpoint={null} onClose={() => setIsAdding(false)} />
      <EndpointQuestions asked={asked} onClose={() => setAsked(null)} />
    </SettingsFrame>
  );
}

const List = styled.ul`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.75rem;
  margin: 0;
  padding: 0;
  list-style: none;
`;
