import { type ComponentProps, type MouseEvent, type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { styled } from 'styled-components';
import { findVisitor } from '#client/browser/geolocation.ts';
import { usePage, useSite } from '#client/api/tenant.tsx';
import { media, needsScripts, noFocusRing, token } from '#client/theme/tokens.ts';
import { Button, ButtonLink } from '#client/ui/Button.tsx';
import { MapPin } from '#client/ui/Icon.tsx';
import { LazyMap, type MapHeights } from '#client/map/LazyMap.tsx';
import { MapDrawing } from '#client/map/MapDrawing.tsx';
import type { PinGroup } from '#client/map/mapTypes.ts';
import { fromYourLocation, mapCopy, network, zipLabel } from '#shared/brand/map.ts';
import type { FoundZip } from '#shared/leads/matching.ts';
import type { CountedPlace } from '#shared/providers/providerList.ts';
import { toProviderView } from '#shared/providers/providerView.ts';
import { Legend } from './Legend.tsx';
import { JumpLink, mapId, ProviderList } from './ProviderList.tsx';
import { ProviderPopup } from './ProviderPopup.tsx';
import { describeOrder, type Network, providerGroup, useNetwork } from './useNetwork.ts';
import { writeZipLink, ZipForm, zipFormId } from './ZipForm.tsx';

const groups: readonly PinGroup[] = [{ key: providerGroup, color: 'var(--secondary)' }];
const heights: MapHeights = [400, 500, 600];
const listId = 'provider-list';

/** Map and list of the same providers: a choice in one shows in the other. Hidden without scripts. */
export function NetworkMap() {
  const { listed } = usePage('map');
  const states = listed?.states ?? noStates;
  const radiusMiles = listed?.radiusMiles ?? Infinity;
  /** Map and providers are loaded once somebody turns to them. Without states the list is all there is. */
  const [isWanted, setIsWanted] = useState(false);
  const net = useNetwork(isWanted || states.length === 0);
  const [view, setView] = useState<View>('list');
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const mapButton = useRef<HTMLButtonElement>(null);
  const hasSwitch = net.place !== null;

  function want(): void {
    setIsWanted(true);
  }
  function showView(next: View): void {
    flushSync(() => setView(next));
    // The list may have been scrolled far down.
    if (next === 'map') frame.current?.scrollIntoView({ block: 'nearest' });
  }
  function showOnMap(id: number, pressed: HTMLElement): void {
    want();
    flushSync(() => setView('map'));
    // On a phone the map takes the list's place, and the pressed button with it.
    if (!pressed.checkVisibility()) mapButton.current?.focus({ preventScroll: true });
    net.choose({
      id,
      from: 'page',
      opener: () => {
        const button = list.current?.querySelector<HTMLElement>(`[data-provider="${id}"] button`);
        const places = [button, mapButton.current, list.current];
        return places.find((place) => place?.checkVisibility()) ?? null;
      },
    });
    frame.current?.scrollIntoView({ block: 'nearest' });
  }
  return (
    <>
      <Bar net={net} list={list} onWant={want} onPlace={() => setView('list')} />
      {hasSwitch ? <ViewSwitch view={view} onView={showView} mapButton={mapButton} /> : null}
      <Columns data-view={hasSwitch ? view : undefined}>
        <MapPlace ref={frame} id={mapId} tabIndex={-1}>
          <JumpLink href={`#${listId}`}>{network.skipMap}</JumpLink>
          <TheMap net={net} still={{ drawing: <MapDrawing states={states} />, isWanted, onWant: want }} />
          {net.status === 'failed' ? null : <Legend place={net.place?.label ?? null} />}
        </MapPlace>
        <ListPlace id={listId} ref={list} tabIndex={-1}>
          <Sorted>{describeOrder(net, radiusMiles)}</Sorted>
          <ProviderList
            key={net.place?.label}
            net={net}
            states={states}
            radiusMiles={radiusMiles}
            onShow={showOnMap}
          />
        </ListPlace>
      </Columns>
    </>
  );
}

type View = 'list' | 'map';
const noStates: readonly CountedPlace[] = [];

interface SwitchProps {
  view: View;
  onView: (view: View) => void;
  mapButton: RefObject<HTMLButtonElement | null>;
}

/** On a phone, the list of the nearest or the map. */
function ViewSwitch({ view, onView, mapButton }: SwitchProps) {
  return (
    <Switch aria-label={network.view.label}>
      {(['list', 'map'] as const).map((option) => (
        <Button
          key={option}
          ref={option === 'map' ? mapButton : undefined}
          variant={option === view ? 'primary' : 'secondary'}
          aria-pressed={option === view}
          onClick={() => onView(option)}
        >
          {network.view[option]}
        </Button>
      ))}
    </Switch>
  );
}

interface BarProps {
  net: Network;
  list: RefObject<HTMLElement | null>;
  /** The providers and the map will be needed. */
  onWant: () => void;
  onPlace: () => void;
}

/** The place that distances are measured from. */
function Bar({ net, list, onWant, onPlace }: BarProps) {
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
    onWant();
    setIsLocating(true);
    const point = await findVisitor();
    setIsLocating(false);
    // Without a location, the ZIP code is the other way to sort the list.
    if (point === null) zipInput.current?.focus();
    else {
      writeZipLink(null);
      flushSync(() => {
        onPlace();
        net.setPlace({ ...point, label: mapCopy.yourLocation, from: fromYourLocation });
      });
      showList(list.current);
    }
  }

  function onNearMe(event: MouseEvent): void {
    event.preventDefault();
    if (!isLocating) void locate();
  }

  function onZip({ zip, ...point }: FoundZip): void {
    // Another place has another list, with a heading of its own.
    writeZipLink(zip);
    flushSync(() => {
      onPlace();
      net.setPlace({ ...point, label: zipLabel(zip), from: zip });
    });
    showList(list.current?.querySelector<HTMLElement>('h2') ?? list.current);
  }

  function onUnknown(): void {
    writeZipLink(null);
    net.setPlace(null);
  }

  const tilesPrivacy = mapTilesUrl === null ? 'basemapOnly' : 'streetTiles';
  return (
    <BarLayout>
      <ZipForm input={zipInput} onSearch={onWant} onFound={onZip} onUnknown={onUnknown} />
      <NearMe>
        {/* A link, as the specification names it. A click before the page's code arrives keeps the ZIP field in view. */}
        <ButtonLink href={`#${zipFormId}`} size="large" onClick={onNearMe} aria-busy={isLocating}>
          <MapPin />
          {mapCopy.nearMe}
        </ButtonLink>
        <Privacy>{network.nearMePrivacy[net.total === null ? tilesPrivacy : 'largeNetwork']}</Privacy>
      </NearMe>
    </BarLayout>
  );
}

function TheMap({ net, still }: { net: Network } & Pick<ComponentProps<typeof LazyMap>, 'still'>) {
  const { mapTilesUrl } = useSite();
  return (
    <LazyMap
      label={network.mapLabel}
      heights={heights}
      still={still}
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

const BarLayout = styled.div`
  ${needsScripts}
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
  display: block;
  margin-block-end: 0.75rem;
  color: ${token.primary};
  font-weight: 600;
  line-height: 1.4;

  &:empty {
    margin: 0;
  }
`;

const phone = '@media (max-width: 47.99em)';

/** Stays in reach while the list scrolls. */
const Switch = styled.fieldset`
  display: none;
  margin: 0;
  padding: 0;
  border: 0;

  ${phone} {
    position: sticky;
    inset-block-start: var(--header-size);
    z-index: 2;
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 0.5rem;
    padding-block: 0.5rem;
    background: ${token.background};
  }
`;

const Columns = styled.div`
  position: relative;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.25rem;

  ${phone} {
    &[data-view='map'] > :last-child {
      display: none;
    }

    /* It keeps its size, in which it is drawn. */
    &[data-view='list'] > :first-child {
      position: absolute;
      inset-inline: 0;
      visibility: hidden;
    }

    &[data-view='list'] {
      overflow: clip;
    }
  }

  ${media.desktop} {
    grid-template-columns: minmax(0, 1fr) 23.5rem;
    align-items: start;
  }
`;

const MapPlace = styled.div`
  ${noFocusRing}
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
  scroll-margin-block-start: 1rem;

  ${phone} {
    /* Below the switch. */
    scroll-margin-block-start: 4.25rem;
  }
`;
