import { useState } from 'react';
import { styled } from 'styled-components';
import { instantText } from '#client/admin/kit/times.ts';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Table, TableFrame } from '#client/ui/Table.tsx';
import type { OutboxLine } from '#shared/admin/mailOutbox.ts';
import { outboxCopy as copy } from '#client/admin/mailOutbox/copy.ts';
import { OutboxDrawer } from './OutboxDrawer.tsx';
import { useOutbox } from './useOutbox.ts';

/** The messages that would have been sent, to be looked at. */
export function Outbox() {
  /** Where each page begins; the first has no beginning. */
  const [begins, setBegins] = useState<readonly string[]>([]);
  const [open, setOpen] = useState<string | null>(null);
  const { data, error, isFetching, refetch } = useOutbox(begins.at(-1));
  const next = data?.next ?? null;
  return (
    <Panel>
      <p>{copy.lead}</p>
      <LoadFailure error={error} fallback={copy.failed} onRetry={() => void refetch()} />
      {data === undefined && error === null ? <output>{copy.loading}</output> : null}
      {data?.messages.length === 0 ? <output>{copy.empty}</output> : null}
      {data === undefined || data.messages.length === 0 ? null : (
        <Messages messages={data.messages} isBusy={isFetching} onOpen={setOpen} />
      )}
      <Paging aria-label={copy.paging}>
        <Button
          variant="secondary"
          size="small"
          disabled={begins.length === 0}
          onClick={() => setBegins(begins.slice(0, -1))}
        >
          {copy.newer}
        </Button>
        <Button
          variant="secondary"
          size="small"
          disabled={next === null}
          onClick={() => (next === null ? undefined : setBegins([...begins, next]))}
        >
          {copy.older}
        </Button>
      </Paging>
      {open === null ? null : <OutboxDrawer name={open} onClose={() => setOpen(null)} />}
    </Panel>
  );
}

interface MessagesProps {
  messages: readonly OutboxLine[];
  isBusy: boolean;
  onOpen: (name: string) => void;
}

function Messages({ messages, isBusy, onOpen }: MessagesProps) {
  return (
    <TableFrame label={copy.caption} isBusy={isBusy}>
      <Table>
        <thead>
          <tr>
            <th scope="col">{copy.columns.at}</th>
            <th scope="col">{copy.columns.to}</th>
            <th scope="col">{copy.columns.subject}</th>
          </tr>
        </thead>
        <tbody>
          {messages.map(({ name, at, to, subject }) => (
            <tr key={name}>
              <td>
                <time dateTime={at}>{instantText(at)}</time>
              </td>
              <td>{to}</td>
              <th scope="row">
                <Subject type="button" onClick={() => onOpen(name)}>
                  {subject}
                </Subject>
              </th>
            </tr>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  );
}

const Panel = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1rem;

  & > p {
    max-inline-size: ${token.measure};
    color: ${token.muted};
  }
`;

const Subject = styled.button`
  min-block-size: 2.75rem;
  padding: 0;
  border: 0;
  background: none;
  color: var(--surface-link);
  text-align: start;
  text-decoration: underline;
  text-underline-offset: 0.2em;
  cursor: pointer;
`;

const Paging = styled.nav`
  display: flex;
  justify-content: space-between;
`;
