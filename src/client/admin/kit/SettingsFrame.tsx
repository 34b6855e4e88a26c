import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { StackedTable } from '#client/ui/Table.tsx';
import type { StaffSession } from '#shared/admin/access.ts';
import { Typed } from './BreakAnywhere.tsx';
import { listCopy, sessionCopy as copy } from './copy.ts';
import { type Column, DataTable } from './DataTable.tsx';
import { LoadFailure } from './LoadFailure.tsx';
import { Instant } from './RelativeTime.tsx';

interface SettingsFrameProps {
  lead: string;
  /** A button beside the text. */
  action?: ReactNode;
  /** Why the list failed to load. */
  error: unknown;
  /** Shown when the server gives no reason. */
  fallback: string;
  isLoading: boolean;
  children: ReactNode;
}

/** A screen for owners: a sentence, a button, and the list or the reason that it is missing. */
export function SettingsFrame({ lead, action, error, fallback, isLoading, children }: SettingsFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(frame);
  return (
    <Frame ref={frame} tabIndex={-1}>
      <Head>
        <p>{lead}</p>
        {action}
      </Head>
      <LoadFailure error={error} fallback={fallback} onRetry={null} />
      {isLoading ? <output>{listCopy.loading}</output> : children}
    </Frame>
  );
}

/** A button that is removed with its row leaves the focus to the frame, so that the keyboard stays where it was. */
function useFocusAfterRemoval(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    let last: EventTarget | null = null;
    const listening = new AbortController();
    element.addEventListener('focusin', ({ target }) => (last = target), { signal: listening.signal });
    const observer = new MutationObserver(() => {
      const isLost = last instanceof Node && !last.isConnected;
      if (isLost && document.activeElement === document.body) element.focus();
    });
    observer.observe(element, { subtree: true, childList: true });
    return () => {
      listening.abort();
      observer.disconnect();
    };
  }, [frame]);
}

const Frame = styled.div`
  &:focus {
    outline: none;
  }
`;

const Head = styled.div`
  display: grid;
  gap: 0.75rem;
  align-items: center;
  justify-items: start;
  margin-block-end: 1rem;

  & > p {
    max-inline-size: ${token.measure};
    color: var(--surface-muted);
  }

  ${media.tablet} {
    grid-template-columns: 1fr auto;
  }
`;

export const Empty = styled.output`
  display: block;
  padding: 2rem 1rem;
  border: 1px dashed ${token.line};
  border-radius: ${token.radius};
  color: var(--surface-muted);
  text-align: center;
`;

export const RowActions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem;
  justify-content: flex-end;

  & > button {
    min-block-size: 2.25rem;

    ${media.touch} {
      min-block-size: 2.75rem;
    }

    padding: 0.25rem 0.75rem;
    font-size: 0.9375rem;
    white-space: nowrap;
  }
`;

/** The name of a row, which breaks between words before the table scrolls. */
export const NameHeader = styled.th`
  min-inline-size: 7rem;
`;

interface SessionListProps {
  lead: string;
  sessions: { data: readonly StaffSession[] | undefined; error: unknown; isLoading: boolean };
  isBusy: boolean;
  onEnd: (id: string) => void;
  action?: ReactNode;
  /** The sessions are not only the member's own. */
  hasNames?: boolean;
}

/** Where people are signed in, each with a button that ends it. */
export function SessionList({ lead, sessions, isBusy, onEnd, action, hasNames = false }: SessionListProps) {
  const { data, error, isLoading } = sessions;
  const end = (id: string): void => (isBusy ? undefined : onEnd(id));
  return (
    <SettingsFrame {...{ lead, action, error, isLoading }} fallback={copy.loadFailed}>
      {data === undefined ? null : (
        <DataTable
          caption={copy.caption}
          columns={sessionColumns(end, hasNames)}
          rows={data}
          as={StackedTable}
        />
      )}
    </SettingsFrame>
  );
}

function sessionColumns(onEnd: (id: string) => void, hasNames: boolean): Column<StaffSession>[] {
  const describe = ({ name, device }: StaffSession): string =>
    [...(hasNames ? [name] : []), device ?? copy.unknownDevice].join(', ');
  return [
    {
      key: 'device',
      header: hasNames ? copy.columns.who : copy.columns.device,
      isRowHeader: true,
      Cell: NameHeader,
      cell: (session) => <Typed>{describe(session)}</Typed>,
    },
    {
      key: 'lastUsed',
      header: copy.columns.lastUsed,
      cell: ({ last_seen_at: at }) => <Instant iso={at} />,
    },
    {
      key: 'actions',
      header: copy.columns.actions,
      isHeaderHidden: true,
      cell: (session) =>
        session.isCurrent ? (
          copy.current
        ) : (
          <Button
            variant="quiet"
            aria-label={copy.endOf(describe(session))}
            onClick={() => onEnd(session.id)}
          >
            {copy.end}
          </Button>
        ),
    },
  ];
}
