import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { SmallTitle } from '#client/ui/SmallTitle.tsx';
import type { PinChoice } from '#client/map/mapTypes.ts';
import { network } from '#shared/brand/map.ts';
import { rangeText } from '#shared/formats/writing.ts';
import type { ListedProvider } from './distances.ts';
import { ProviderItem } from './ProviderItem.tsx';

const pageSize = 20;

interface ProviderListProps {
  /** Give the component another key when the order changes: it then starts from its first page. */
  listed: readonly ListedProvider[];
  chosen: PinChoice | null;
  onShow: (id: number) => void;
}

/** The map's providers as a list, twenty per page, so that ten thousand are as fast as twenty. */
export function ProviderList({ listed, chosen, onShow }: ProviderListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [page, setPage] = usePage(listed, chosen);
  const first = page * pageSize;
  const shown = listed.slice(first, first + pageSize);
  const pages = Math.ceil(listed.length / pageSize);

  useEffect(() => {
    const item = scroller.current?.querySelector<HTMLElement>('[aria-current]');
    // Scrolls only the list; the page keeps its position.
    if (chosen?.from === 'map' && item) scroller.current?.scrollTo({ top: item.offsetTop });
  }, [chosen]);

  return (
    <Panel aria-labelledby="provider-list-title">
      <Head>
        <SmallTitle as="h2" id="provider-list-title">
          {network.list.title}
        </SmallTitle>
        {listed.length === 0 ? null : (
          <Range>{rangeText(first + 1, first + shown.length, listed.length)}</Range>
        )}
      </Head>
      {listed.length === 0 ? <None>{network.list.none}</None> : null}
      {/* Another page starts at its top. */}
      <Scroller key={page} ref={scroller}>
        <ol>
          {shown.map((entry) => (
            <ProviderItem
              key={entry.provider.id}
              listed={entry}
              isChosen={chosen?.id === entry.provider.id}
              onShow={() => onShow(entry.provider.id)}
            />
          ))}
        </ol>
      </Scroller>
      {pages > 1 ? <Pages page={page} last={pages - 1} onPage={setPage} /> : null}
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
  display: flex;
  flex-direction: column;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.background};
  overflow: hidden;

  ${media.desktop} {
    block-size: 600px;
  }
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

const Scroller = styled.div`
  position: relative;
  flex: 1;
  min-block-size: 0;

  ${media.desktop} {
    overflow-y: auto;
    overscroll-behavior: contain;
  }
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
