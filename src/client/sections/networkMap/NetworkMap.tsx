import { type MouseEvent, type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { styled } from 'styled-components';
import { findVisitor } from '#client/browser/geolocation.ts';
import { useSite } from '#client/api/tenant.tsx';
import { media, needsScripts, noFocusRing, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { MapPin } from '#client/ui/Icon.tsx';
import { LazyMap, type MapHeights } from '#client/map/LazyMap.tsx';
import type { PinGroup } from '#client/map/mapTypes.ts';
import { fromYourLocation, mapCopy, network, sortedText, zipLabel } from '#shared/brand/map.ts';
import type { FoundZip } from '#shared/leads/matching.ts';
import { toProviderView } from '#shared/providers/tenant.ts';
import { ProviderList } from './ProviderList.tsx';
import { ProviderPopup } from './ProviderItem.tsx';
import { providerGroup, type Network, useNetwork } from './useNetwork.ts';
import { ZipForm } from './ZipForm.tsx';

const groups: readonly PinGroup[] = [{ key: providerGroup, color: 'var(--secondary)' }];
const heights: MapHeights = [400, 500, 600];
const listId = 'provider-list';

/** Map and list of the same providers: a choice in one shows in the other. Hidden without scripts. */
export function NetworkMap() {
  const net = useNetwork();
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);

  function showOnMap(id: number, opener: HTMLElement): void {
    net.choose({ id, from: 'page', opener });
    // On a phone the map is above the list.
    frame.current?.scrollIntoView({ block: 'nearest' });
  }

  return (
    <Everything>
      <Bar net={net} list={list} />
      <Columns>
        <MapPlace ref={frame}>
          <SkipMap href={`#${listId}`}>{network.skipMap}</SkipMap>
          <TheMap net={net} />
          {net.status === 'failed' ? null : <Legend place={net.place?.label ?? null} />}
        </MapPlace>
        <ListPlace id={listId} ref={list} tabIndex={-1}>
          {net.status === 'ready' ? (
            <ProviderList
              key={net.place?.label}
              listed={net.listed}
              total={net.total}
              chosen={net.chosen}
              onShow={showOnMap}
            />
          ) : null}
        </ListPlace>
      </Columns>
    </Everything>
  );
}

/** The place that distances are measured from. */
function Bar({ net, list }: { net: Network; list: RefObject<HTMLElement | null> }) {
  const { mapTilesUrl } = useSite();
  const [isLocating, setIsLocating] = useState(false);
  const zipInput = useRef<HTMLInputElement>(null);

  /** The list may be far below, and what is nearest is at its top. */
  function showList(focused: HTMLElement | null | undefined): void {
    // The browser's own scrolling would center a list that is taller than the window.
    focused?.focus({ preventScroll: true });
    list.current?.scrollIntoView();
  }

  async function locate(): Promise<void> {
    setIsLocating(true);
    const point = await findVisitor();
    setIsLocating(false);
    // Without a location, the ZIP code is the other way to sort the list.
    if (point === null) zipInput.current?.focus();
    else {
      net.setPlace({ ...point, label: mapCopy.yourLocation, from: fromYourLocation });
      showList(list.current);
    }
  }

  function onNearMe(event: MouseEvent): void {
    event.preventDefault();
    if (!isLocating) void locate();
  }

  function onZip({ zip, ...point }: FoundZip): void {
    // Another place has another list, with a heading of its own.
    flushSync(() => net.setPlace({ ...point, label: zipLabel(zip), from: zip }));
    showList(list.current?.querySelector<HTMLElement>('h2') ?? list.current);
  }

  const { nearest } = net;
  const sorted =
    net.place === null || net.status !== 'ready'
      ? ''
      : sortedText(
          net.place.from,
          nearest === null || nearest.miles === null
            ? null
            : { name: nearest.provider.name, miles: nearest.miles },
        );
  const tilesPrivacy = mapTilesUrl === null ? 'basemapOnly' : 'streetTiles';
  return (
    <BarLayout>
      <ZipForm input={zipInput} onFound={onZip} onUnknown={() => net.setPlace(null)} />
      <NearMe>
        {/* A link to the list, as the specification names it. */}
        <ButtonLink href={`#${listId}`} size="large" onClick={onNearMe} aria-busy={isLocating}>
          <MapPin />
          {mapCopy.nearMe}
        </ButtonLink>
        <Privacy>{network.nearMePrivacy[net.total === null ? tilesPrivacy : 'largeNetwork']}</Privacy>
      </NearMe>
      <Sorted>{sorted}</Sorted>
    </BarLayout>
  );
}

function TheMap({ net }: { net: Network }) {
  const { mapTilesUrl } = useSite();
  return (
    <LazyMap
      label={network.mapLabel}
      heights={heights}
      loadingText={network.loading}
      isWaiting={net.status === 'loading' || net.isWaitingForPins}
      failure={net.status === 'failed' ? network.failed : null}
      onReload={() => void net.reload()}
      pins={net.pins}
      groups={groups}
      counted={net.counted}
      onView={net.onView}
      view={net.view}
      tilesUrl={mapTilesUrl}
      place={net.place}
      chosen={net.chosen}
      onChoose={net.choose}
      renderPopup={(id) => {
        const provider = net.findProvider(id);
        return provider === null ? null : <ProviderPopup provider={toProviderView(provider)} />;
      }}
    />
  );
}

const Everything = styled.div`
  ${needsScripts}
`;

const BarLayout = styled.div`
  display: grid;
  gap: 1.25rem;
  align-items: start;
  margin-block-end: 1.25rem;

  ${media.tablet} {
    grid-template-columns: auto auto;
    justify-content: space-between;
    gap: 1rem 2rem;
  }
`;

const NearMe = styled.div`
  display: grid;
  gap: 0.5rem;
  justify-items: stretch;

  ${media.tablet} {
    margin-block-start: 1.775rem;
    justify-items: end;
  }
`;

const Privacy = styled.p`
  color: ${token.muted};
  font-size: 0.875rem;
  line-height: 1.4;
`;

const Sorted = styled.output`
  color: ${token.primary};
  font-weight: 600;
  line-height: 1.4;

  &:empty {
    display: none;
  }

  ${media.tablet} {
    grid-column: 1 / -1;
  }
`;

const Columns = styled.div`
  display: grid;
  gap: 1.25rem;

  ${media.desktop} {
    grid-template-columns: minmax(0, 1fr) 23.5rem;
    align-items: start;
  }
`;

const MapPlace = styled.div`
  position: relative;
  scroll-margin-block: calc(var(--header-size) + 1rem) 1rem;

  /* The list has the page's own scrollbar, and the map stays beside it. */
  ${media.desktop} {
    @media (min-height: 44em) {
      position: sticky;
      inset-block-start: calc(var(--header-size) + 1rem);
    }
  }
`;

const ListPlace = styled.div`
  ${noFocusRing}
`;

/** Visible only while it has the focus. */
const SkipMap = styled.a`
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

interface LegendProps {
  /** The name of the blue dot, where there is one. */
  place: string | null;
}

/** What the marks on the map mean: below the map on a phone, on it where there is room. */
function Legend({ place }: LegendProps) {
  return (
    <Box aria-label={network.legend.title}>
      <li>
        <Drop />
        {network.legend.provider}
      </li>
      <li>
        <Circle aria-hidden="true">5</Circle>
        {mapCopy.cluster}
      </li>
      {place === null ? null : (
        <li>
          <BlueDot aria-hidden="true" />
          {place}
        </li>
      )}
    </Box>
  );
}

const Box = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: 0.375rem 1rem;
  padding-block: 0.75rem 0.25rem;
  font-size: 0.875rem;
  line-height: 1.3;

  /* Beside a map that isn't drawn there is nothing to explain. Its space stays. */
  [data-map]:not([data-map='drawn']) + & {
    visibility: hidden;
  }

  & li {
    display: grid;
    grid-template-columns: 1.375rem auto;
    gap: 0.5rem;
    align-items: center;
    justify-items: start;
  }

  & li > :first-child {
    justify-self: center;
  }

  ${media.tablet} {
    position: absolute;
    inset: 0.75rem auto auto 0.75rem;
    display: grid;
    padding: 0.625rem 0.875rem;
    border-radius: ${token.radius};
    border: 1px solid ${token.line};
    background: rgb(255 255 255 / 0.94);
    pointer-events: none;
  }
`;

const Drop = styled(MapPin)`
  inline-size: 1.25rem;
  block-size: 1.25rem;
  color: #ffffff;
  fill: ${token.secondary};
`;

const Circle = styled.span`
  display: grid;
  place-items: center;
  inline-size: 1.25rem;
  block-size: 1.25rem;
  border-radius: ${token.pill};
  background: ${token.secondary};
  color: #ffffff;
  font-size: 0.6875rem;
  font-weight: 700;
`;

const BlueDot = styled.span`
  inline-size: 0.875rem;
  block-size: 0.875rem;
  border: 2px solid #ffffff;
  border-radius: ${token.pill};
  background: #1a66d6;
  outline: 1px solid #1a66d6;
`;
