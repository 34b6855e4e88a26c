import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Stack } from '#client/admin/kit/layout.tsx';
import { token } from '#client/theme/tokens.ts';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import { providerCopy } from './copy.ts';
import { ProviderRow, type RowContext } from './ProviderRow.tsx';

/** Rows that a press adds. The map is below them on a phone. */
const step = 25;

/** The first rows of a list that may have twenty thousand. The search finds the others. */
export function ProviderRows({ providers, row }: { providers: readonly AdminProvider[]; row: RowContext }) {
  // Back from a provider's page, its row is there.
  const [shown, setShown] = useState(() =>
    Math.max(step, providers.findIndex(({ id }) => id === row.lastId) + 1),
  );
  const list = useRef<HTMLUListElement>(null);
  function showMore(): void {
    flushSync(() => setShown(shown + step));
    // The pressed button may be gone.
    list.current?.children[shown]?.querySelector('a')?.focus();
  }
  return (
    <Stack>
      <Rows ref={list} aria-label={providerCopy.rows}>
        {providers.slice(0, shown).map((provider) => (
          <li key={provider.id}>
            <ProviderRow provider={provider} row={row} />
          </li>
        ))}
      </Rows>
      {shown < providers.length ? (
        <div>
          <ActionButton onClick={showMore}>{providerCopy.showMore(providers.length - shown)}</ActionButton>
        </div>
      ) : null}
    </Stack>
  );
}

const Rows = styled.ul`
  border-block-start: 1px solid ${token.line};

  & > li {
    border-block-end: 1px solid ${token.line};
  }
`;
