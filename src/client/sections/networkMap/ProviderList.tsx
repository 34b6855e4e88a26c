import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { noFocusRing, token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import type { PinChoice } from '#client/map/mapTypes.ts';
import { network } from '#shared/brand/map.ts';
import { rangeText } from '#shared/formats/writing.ts';
import { PlaceList } from '#client/sections/kit/PlaceList.tsx';
import type { CountedPlace } from '#shared/providers/providerList.ts';
import type { Network } from './useNetwork.ts';
import type { ListedProvider } from './distances.ts';
import { ProviderItem } from './ProviderItem.tsx';

const pageSize = 20;
/** The map is beside the list (NetworkMap.tsx). */
const besideMap = '(min-width: 64em)';

interface ProviderListProps {
  /** Give the component another key when the order changes: it then starts from its first page. */
  net: Network;
  /** What is listed before there is an order. */
  states: readonly CountedPlace[];
  /** Farther ones are folded. */
  radiusMiles: number;
  onShow: (id: number, button: HTMLElement) => void;
}

/** The map's providers from the nearest on, twenty per page, so that ten thousand are as fast as twenty. */
export function ProviderList({ net, states, radiusMiles, onShow }: ProviderListProps) {
  const { listed, total, chosen, place, status } = net;
  const list = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [turned, setPage] = usePage(listed, chosen);
  const pages = Math.ceil(listed.length / pageSize);
  // The list around the middle of the map may have become shorter.
  const page = Math.max(0, Math.min(turned, pages - 1));
  const isByState = place === null && states.length > 0;
  const first = page * pageSize;
  const shown = isByState
    ? listed.filter(({ provider }) => provider.id === chosen?.id)
    : listed.slice(first, first + pageSize);

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

  const isFar = ({ miles }: ListedProvider): boolean => place !== null && (miles ?? Infinity) > radiusMiles;
  const far = shown.filter((entry) => isFar(entry) && entry !== listed[0]);
  const near = shown.filter((entry) => !far.includes(entry));
  const [isUnfolded, setIsUnfolded] = useState(false);
  const isOpen = isUnfolded || page > 0 || far.some(({ provider }) => provider.id === chosen?.id);
  /** Without the folded ones. */
  const end = first + (isOpen ? shown.length : near.length);
  const pageBar = pages > 1 && !isByState ? <Pages page={page} last={pages - 1} onPage={turnTo} /> : null;
  const renderItem = (entry: ListedProvider) => (
    <ProviderItem
      key={entry.provider.id}
      listed={entry}
      isChosen={chosen?.id === entry.provider.id}
      isLarge={place === null || entry === listed[0]}
      onShow={(button) => onShow(entry.provider.id, button)}
    />
  );
  return (
    <Panel aria-labelledby="provider-list-title" ref={list}>
      <Head>
        <ListTitle as="h2" id="provider-list-title" ref={title} tabIndex={-1}>
          {network.list.title}
        </ListTitle>
        {isByState || listed.length === 0 ? null : <Range>{rangeText(first + 1, end, listed.length)}</Range>}
      </Head>
      {isByState || status === 'failed' || listed.length > 0 ? null : (
        <None>{status === 'ready' ? network.list.none : network.loading}</None>
      )}
      {total === null || isByState ? null : <PartNote>{network.list.nearest(listed.length, total)}</PartNote>}
      <ol>{near.map(renderItem)}</ol>
      {isByState ? (
        <States>
          <h3>{network.list.states}</h3>
          <PlaceList places={states} />
        </States>
      ) : null}
      {far.length === 0 ? (
        pageBar
      ) : (
        <Far key={page} open={isOpen} onToggle={({ currentTarget }) => setIsUnfolded(currentTarget.open)}>
          <summary>{network.list.far(listed.length - first - near.length, radiusMiles)}</summary>
          <ol>{far.map(renderItem)}</ol>
          {pageBar}
        </Far>
      )}
      <BackToMap href={`#${mapId}`}>{network.backToMap}</BackToMap>
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

/** The map's place on the page. */
export const mapId = 'network-map';

/** Leads to another part of the page, and leaves the address with the ZIP code as it is. */
function jump(event: MouseEvent<HTMLAnchorElement>): void {
  const target = document.getElementById(event.currentTarget.hash.slice(1));
  if (target === null) return;
  event.preventDefault();
  target.focus({ preventScroll: true });
  target.scrollIntoView();
}

/** Between map and list, visible only while it has the focus. */
export const JumpLink = styled.a.attrs({ onClick: jump })`
  position: absolute;
  inset: 0.75rem auto auto 0.75rem;
  z-index: 2;
  padding: 0.625rem 1rem;
  border-radius: ${token.pill};
  background: ${token.background};
  border: 1px solid ${token.line};
  font-weight: 600;

  &:not(:focus) {
    clip-path: inset(50%);
    pointer-events: none;
  }
`;

const BackToMap = styled(JumpLink)`
  inset-block: auto 0.75rem;

  /* There the map is hidden. */
  @media (max-width: 47.99em) {
    [data-view='list'] & {
      display: none;
    }
  }
`;

const Panel = styled.section`
  position: relative;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.background};
  overflow: hidden;
`;

const States = styled.div`
  padding: 1rem 1.25rem;
`;

const Far = styled.details`
  & > summary {
    padding: 0.75rem 1.25rem;
    min-block-size: 2.75rem;
    color: ${token.ink};
    font-weight: 600;
    cursor: pointer;
  }
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
