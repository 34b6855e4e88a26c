import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import { providerCopy } from './copy.ts';
import { ProviderRow, type RowContext } from './ProviderRow.tsx';

const rowHeight = 76;
/** Rows rendered beyond the visible ones, so that scrolling shows no gaps. */
const overscan = 8;

/** A list of twenty thousand rows renders only the visible ones. */
export function ProviderRows({ providers, row }: { providers: readonly AdminProvider[]; row: RowContext }) {
  const scroller = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: providers.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => providers[index]?.id ?? index,
    overscan,
    // Back from a provider's page.
    initialOffset:
      rowHeight *
      Math.max(
        0,
        providers.findIndex(({ id }) => id === row.lastId),
      ),
  });
  return (
    // Focusable, so that the keyboard can scroll it.
    <Scroller ref={scroller} tabIndex={0} aria-label={providerCopy.rows}>
      <Rows style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const provider = providers[index];
          return provider === undefined ? null : (
            <Row
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-setsize={providers.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <ProviderRow provider={provider} row={row} />
            </Row>
          );
        })}
      </Rows>
    </Scroller>
  );
}

const Scroller = styled.section`
  block-size: 30rem;
  border-block: 1px solid ${token.line};
  overflow-y: auto;
  overscroll-behavior: contain;
`;

const Rows = styled.ul`
  position: relative;
`;

const Row = styled.li`
  position: absolute;
  inset-block-start: 0;
  inset-inline: 0;
  min-block-size: ${rowHeight}px;
  border-block-end: 1px solid ${token.line};
`;
