import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { styled } from 'styled-components';
import { CursorPager, useCursorPages } from '#client/admin/kit/CursorPager.tsx';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { RelativeTime, useNow } from '#client/admin/kit/RelativeTime.tsx';
import { Empty } from '#client/admin/kit/SettingsFrame.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { StackedTable } from '#client/ui/Table.tsx';
import type { UnsentLine, UnsentMessage } from '#shared/admin/unsentMail.ts';
import { unsentMailCopy as copy } from './copy.ts';
import { Row, Stack } from '#client/admin/kit/layout.tsx';
import { Button } from '#client/ui/Button.tsx';
import { Drawer } from '#client/ui/Dialog.tsx';

/** The messages that were not sent because no mail server is configured. */
export function UnsentMail() {
  const pages = useCursorPages<string>();
  const [open, setOpen] = useState<string | null>(null);
  const { data, error, isFetching, refetch } = adminApi.admin.unsentMail.list.useQuery(
    pages.before === undefined ? {} : { before: pages.before },
    { refetchOnMount: 'always', placeholderData: keepPreviousData },
  );
  const now = useNow();
  return (
    <Panel>
      <p>{copy.lead}</p>
      <LoadFailure error={error} fallback={copy.failed} onRetry={() => void refetch()} />
      {data === undefined && error === null ? <output>{copy.loading}</output> : null}
      {data === undefined ? null : (
        <DataTable
          caption={copy.caption}
          columns={messageColumns(now, setOpen)}
          rows={data.messages.map((message) => ({ ...message, id: message.name }))}
          isBusy={isFetching}
          empty={<Empty>{copy.empty}</Empty>}
          as={StackedTable}
        />
      )}
      <CursorPager label={copy.paging} pages={pages} next={data?.next ?? null} size="small" />
      {open === null ? null : <MessageDrawer name={open} onClose={() => setOpen(null)} />}
    </Panel>
  );
}

function messageColumns(now: number, onOpen: (name: string) => void): Column<UnsentLine>[] {
  const { columns } = copy;
  return [
    { key: 'at', header: columns.at, cell: ({ at }) => <RelativeTime iso={at} now={now} /> },
    { key: 'to', header: columns.to, Cell: Address, cell: ({ to }) => to },
    {
      key: 'subject',
      header: columns.subject,
      isRowHeader: true,
      cell: ({ name, subject }) => (
        <Subject type="button" onClick={() => onOpen(name)}>
          {subject}
        </Subject>
      ),
    },
  ];
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

/** An address may break where the table is narrow, but not into many lines. */
const Address = styled.td`
  overflow-wrap: anywhere;

  ${media.tablet} {
    min-inline-size: 14rem;
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

const styleSheets = /<style\b.*?<\/style>/gis;
const start = /^<!doctype html>/i;

/** One message, as a mail program shows it or as text. */
export function MessageDrawer({ name, onClose }: { name: string; onClose: () => void }) {
  const { data, error, refetch } = adminApi.admin.unsentMail.get.useQuery({ name });
  return (
    <Drawer title={data?.subject ?? copy.messageLoading} onClose={onClose}>
      <LoadFailure error={error} fallback={copy.messageFailed} onRetry={() => void refetch()} />
      {data === undefined ? null : <Shown message={data} />}
    </Drawer>
  );
}

function Shown({ message: { to, html, text } }: { message: UnsentMessage }) {
  const [view, setView] = useState<'html' | 'text'>('html');
  return (
    <Stack>
      <p>{copy.messageTo(to)}</p>
      <Row as="fieldset" aria-label={copy.views.label}>
        {(['html', 'text'] as const).map((each) => (
          <Button
            key={each}
            size="small"
            variant={each === view ? 'primary' : 'secondary'}
            aria-pressed={each === view}
            onClick={() => setView(each)}
          >
            {copy.views[each]}
          </Button>
        ))}
      </Row>
      {view === 'text' ? (
        <Plain tabIndex={0}>{text}</Plain>
      ) : (
        // The sandbox has a separate origin and runs no scripts. Links open in a new tab.
        <Frame
          title={copy.messageTo(to)}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={framedMessage(html)}
        />
      )}
    </Stack>
  );
}

/**
 * A message for the frame, which inherits the dashboard's content security policy. The policy allows style attributes,
 * which messages use, and rejects style sheets: the one for dark screens is removed. Links open outside the frame.
 */
function framedMessage(html: string): string {
  return html.replaceAll(styleSheets, '').replace(start, '<!doctype html><base target="_blank">');
}

const Plain = styled.pre`
  padding: 1rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  font-size: 0.875rem;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
`;

const Frame = styled.iframe`
  inline-size: 100%;
  block-size: max(24rem, 65dvh);
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
`;
