import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { debugLog } from '#client/browser/log.ts';
import { findVisitor } from '#client/browser/geolocation.ts';
import { fetchProviders } from '#client/api/providersApi.ts';
import { useSite } from '#client/api/tenant.tsx';
import { media, needsScripts, token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { MapPin } from '#client/ui/Icon.tsx';
import { LazyMap, type MapHeights } from '#client/map/LazyMap.tsx';
import {
  collectPins,
  continentalView,
  type MapPin as Pin,
  type MapPlace,
  type MapView,
  type PinChoice,
  type PinGroup,
} from '#client/map/mapTypes.ts';
import { certifiedCount, mapCopy, recruitmentMap } from '#shared/brand/map.ts';
import { paths } from '#shared/pages/paths.ts';
import { useCountedPins } from '#client/map/useCountedPins.ts';
import type { PublicProvider } from '#shared/providers/providerFieldLists.ts';

const group = 'certified';
const groups: readonly PinGroup[] = [{ key: group, color: 'var(--secondary)' }];
const heights: MapHeights = [500, 500, 500];
const placeZoom = 8;
/** Anchor of the offer on the page for prospective providers. */
const offerAnchor = '#special-offer';

/** The network as prospective providers see it. Nothing of it is loaded before it is scrolled near. */
export function RecruitmentMap() {
  const section = useRef<HTMLDivElement>(null);
  const isNear = useNearView(section, '600px 0px');
  return (
    <div ref={section}>
      {isNear ? (
        <NearMap />
      ) : (
        <Placeholder>
          <output>{recruitmentMap.loading}</output>
        </Placeholder>
      )}
      <WithoutScripts>
        {recruitmentMap.withoutScripts} <a href={paths.map}>{recruitmentMap.list}</a>
      </WithoutScripts>
      <Prompt>
        {recruitmentMap.question} <a href={offerAnchor}>{recruitmentMap.offer}</a>
      </Prompt>
    </div>
  );
}

/** Whether an element has been within `margin` of the window. It stays true. */
function useNearView(element: RefObject<Element | null>, margin: string): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (element.current === null || isNear) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsNear(true);
      },
      { rootMargin: margin },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, margin, isNear]);
  return isNear;
}

type Loaded =
  { status: 'loading' | 'failed' } | { status: 'ready'; pins: Pin[]; activeCount: number; isLarge: boolean };

/** The active providers that have both coordinates. */
export function getPins(providers: readonly PublicProvider[]): Pin[] {
  return collectPins(
    providers.filter(({ status }) => status === 't'),
    group,
  );
}

async function loadPins(): Promise<Loaded> {
  try {
    const [active, inactive] = await Promise.all([fetchProviders('active'), fetchProviders('inactive')]);
    if (active.total !== null) return { status: 'ready', pins: [], activeCount: active.total, isLarge: true };
    const providers = [...active.providers, ...(inactive.providers ?? [])];
    const activeCount = providers.filter(({ status }) => status === 't').length;
    return { status: 'ready', pins: getPins(providers), activeCount, isLarge: false };
  } catch (error) {
    debugLog('No providers:', error);
    return { status: 'failed' };
  }
}

async function findPlace(): Promise<MapPlace | null> {
  const point = await findVisitor();
  return point === null ? null : { ...point, label: mapCopy.yourLocation };
}

const noPins: readonly Pin[] = [];

function NearMap() {
  const { mapTilesUrl } = useSite();
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading' });
  const [chosen, setChosen] = useState<PinChoice | null>(null);
  const [place, setPlace] = useState<MapPlace | null>(null);
  const countedPins = useCountedPins(group, loaded.status === 'ready' && loaded.isLarge);
  const view = useMemo<MapView>(
    () => (place === null ? continentalView : { center: place, zoom: placeZoom }),
    [place],
  );

  async function locate(): Promise<void> {
    setPlace((await findPlace()) ?? place);
  }

  async function reload(): Promise<void> {
    setLoaded({ status: 'loading' });
    setLoaded(await loadPins());
  }

  useEffect(() => {
    const load = async (): Promise<void> => setLoaded(await loadPins());
    const ask = async (): Promise<void> => setPlace(await findPlace());
    void load();
    void ask();
  }, []);

  const { pins, activeCount, isLarge } =
    loaded.status === 'ready' ? loaded : { pins: noPins, activeCount: 0, isLarge: false };
  return (
    <LazyMap
      label={recruitmentMap.label}
      heights={heights}
      loadingText={recruitmentMap.loading}
      isWaiting={loaded.status === 'loading' || (isLarge && countedPins.status === 'loading')}
      failure={loaded.status === 'failed' ? recruitmentMap.failed : null}
      onReload={() => void reload()}
      pins={isLarge ? countedPins.pins : pins}
      groups={groups}
      counted={isLarge ? countedPins.counted : undefined}
      onView={isLarge ? countedPins.onView : undefined}
      view={view}
      scrollZoom={false}
      tilesUrl={mapTilesUrl}
      place={place}
      chosen={chosen}
      onChoose={setChosen}
      renderPopup={() => <Certified>{recruitmentMap.certified}</Certified>}
    >
      <Over>
        {/* Also those without a place on the map. */}
        {activeCount === 0 ? <span /> : <Badge>{certifiedCount(activeCount)}</Badge>}
        <Button onClick={() => void locate()}>
          <MapPin />
          {mapCopy.nearMe}
        </Button>
      </Over>
    </LazyMap>
  );
}

/** The map's place, of its size, before anything is loaded. */
const Placeholder = styled.div`
  display: grid;
  place-content: center;
  block-size: 500px;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.tint};
  color: ${token.ink};
  font-weight: 600;
  ${needsScripts}
`;

const WithoutScripts = styled.p`
  display: none;

  @media (scripting: none) {
    display: block;
  }
`;

const Over = styled.div`
  position: absolute;
  inset: 0.75rem 0.75rem auto;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.75rem;
  pointer-events: none;

  & > button {
    pointer-events: auto;
  }
`;

const Badge = styled.p`
  padding: 0.5rem 1rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.background};
  color: ${token.ink};
  font-variant-numeric: tabular-nums;
  font-weight: 700;
  line-height: 1.4;
`;

const Certified = styled.p`
  color: ${token.ink};
  font-weight: 700;
`;

const Prompt = styled.p`
  margin-block-start: 1.25rem;
  font-size: ${token.textLarge};
  text-align: center;

  & a {
    font-weight: 600;
  }

  ${media.tablet} {
    text-align: start;
  }
`;
