import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { noFocusRing, token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import type { PinChoice } from '#client/map/mapTypes.ts';
import { network } from '#shared/brand/map.ts';
import { rangeText } from '#shared/formats/writing.ts';
import type { ListedProvider } from './distances.ts';
import { ProviderItem } from './ProviderItem.tsx';

const pageSize = 20;
/** The map is beside the list (NetworkMap.tsx). */
const besideMap = '(min-width: 64em)';

interface ProviderListProps {
  /** Give the component another key when the order changes: it then starts from its first page. */
  listed: readonly ListedProvider[];
  /** How many there are in all, if the list has only those nearest to the middle of the map. */
  total: number | null;
  chosen: PinChoice | null;
  onShow: (id: number, button: HTMLElement) => void;
}

/** The map's providers as a list, twenty per page, so that ten thousand are as fast as twenty. */
export function ProviderList({ listed, total, chosen, onShow }: ProviderListProps) {
  const list = useRef<HTMLOListElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [turned, setPage] = usePage(listed, chosen);
  const pages = Math.ceil(listed.length / pageSize);
  // The list around the middle of the map may have become shorter.
  const page = Math.max(0, Math.min(turned, pages - 1));
  const first = page * pageSize;
  const shown = listed.slice(first, first + pageSize);

  useEffect(() => {
    // On a narrow screen, the map is above the list and would leave the view.
    if (chosen?.from !== 'map' || !matchMedia(besideMap).matches) return;
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  function turnTo(next: number): void {
    if (next === page) return;
    setPage(next);
    // The buttons are below the list, and another page is read from its top.
    title.current?.focus();
  }

  return (
    <Panel aria-labelledby="provider-list-title">
      <Head>
        <ListTitle as="h2" id="provider-list-title" ref={title} tabIndex={-1}>
          {network.list.title}
        </ListTitle>
        {listed.length === 0 ? null : (
          <Range>{rangeText(first + 1, first + shown.length, listed.length)}</Range>
        )}
      </Head>
      {listed.length === 0 ? <None>{network.list.none}</None> : null}
      {total === null ? null : <PartNote>{network.list.nearest(listed.length, total)}</PartNote>}
      <ol ref={list}>
        {shown.map((entry) => (
          <ProviderItem
            key={entry.provider.id}
            listed={entry}
            isChosen={chosen?.id === entry.provider.id}
            onShow={(button) => onShow(entry.provider.id, button)}
          />
        ))}
      </ol>
      {pages > 1 ? <Pages page={page} last={pages - 1} onPage={turnTo} /> : null}
    </Panel>
  );
}

/** The page shown: that of the provider chosen on the map, until the visitor changes it. */
function usePage(
  listed: readonly ListedProvider[],
  chosen: PinChoice | null,
): [number, (page: number) => void] {
  const [turned, setTurned] = useState({ page: 0, chosen });
  if (turned.chosen !== chosen) {
    const at = chosen?.from === 'map' ? listed.findIndex(({ provider }) => provider.id === chosen.id) : -1;
    setTurned({ page: at === -1 ? turned.page : Math.floor(at / pageSize), chosen });
  }
  return [turned.page, (page) => setTurned({ page, chosen })];
}

function Pages({ page, last, onPage }: { page: number; last: number; onPage: (page: number) => void }) {
  return (
    <PagesBar aria-label={network.list.pages}>
      {/* aria-disabled keeps the focus where it is at either end. */}
      <Button variant="quiet" aria-disabled={page === 0} onClick={() => onPage(Math.max(0, page - 1))}>
        {network.list.previous}
      </Button>
      <Button variant="quiet" aria-disabled={page === last} onClick={() => onPage(Math.min(last, page + 1))}>
        {network.list.next}
      </Button>
    </PagesBar>
  );
}

const Panel = styled.section`
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.background};
  overflow: hidden;
`;

const ListTitle = styled(SmallTitle)`
  ${noFocusRing}
`;

const Head = styled.div`
  display: flex;
  align-items: baseline;
  justify-content: space-between;
  gap: 1rem;
  padding: 1rem 1.25rem;
  border-block-end: 1px solid ${token.line};
`;

const Range = styled.output`
  color: ${token.muted};
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
`;

const None = styled.p`
  padding: 1.25rem;
  color: ${token.muted};
`;

const PartNote = styled.p`
  padding: 0.75rem 1.25rem;
  border-block-end: 1px solid ${token.line};
  color: ${token.muted};
  font-size: 0.9375rem;
`;

const PagesBar = styled.nav`
  display: flex;
  justify-content: space-between;
  padding: 0.5rem;
  border-block-start: 1px solid ${token.line};

  & [aria-disabled='true'] {
    color: ${token.muted};
    cursor: default;
  }
`;
