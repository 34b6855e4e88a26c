import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { showWhenLoaded } from '#client/ui/deferred.tsx';
import { css, styled } from 'styled-components';
import { mapCopy } from '#shared/brand/map.ts';
import { media, needsScripts, token } from '../theme/tokens.ts';
import { Button } from '../ui/Button.tsx';
import type { Basemap } from './basemap.ts';
import type { ProviderMapProps, MapCanvasProps, UndrawnPhase } from './mapTypes.ts';

interface MapCode {
  ProviderMap: ComponentType<MapCanvasProps & { basemap: Basemap }>;
  basemap: Basemap;
  /** To be called while no map is shown. */
  restartWorkers: () => void;
}

let mapCode: Promise<MapCode> | null = null;

/**
 * Loads code and basemap in parallel, once for every map. The condition keeps a megabyte that only a browser can run
 * out of the server's bundle.
 */
async function loadMapCode(): Promise<MapCode> {
  if (import.meta.env.SSR) throw new Error('Maps are drawn in browsers');
  mapCode ??= Promise.all([
    import('./ProviderMap.tsx'),
    import('./basemap.ts').then(({ loadBasemap }) => loadBasemap()),
  ]).then(([{ ProviderMap, restartWorkers }, basemap]) => ({ ProviderMap, basemap, restartWorkers }));
  try {
    return await mapCode;
  } catch (error) {
    mapCode = null;
    throw error;
  }
}

function canDrawMaps(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null;
}

/** Heights in pixels on phones, tablets and desktops. */
export type MapHeights = readonly [phone: number, tablet: number, desktop: number];

interface LazyMapProps extends ProviderMapProps {
  heights: MapHeights;
  /** Visible until the map is rendered. */
  loadingText: string;
  /** What the pins are made from isn't here yet. */
  isWaiting?: boolean;
  /** What went wrong on the page. It replaces the map and everything else in it. */
  failure?: string | null;
  onReload?: () => void;
  /** Where the map starts only when it is wanted: what is there before. */
  still?: Still | undefined;
  /** Over the map, positioned by the caller: a legend, a badge, a button. */
  children?: ReactNode;
}

/** A drawing in place of the map, until a visitor turns to the map or the page needs it. */
interface Still {
  drawing: ReactNode;
  isWanted: boolean;
  onWant: () => void;
}

type Phase = 'still' | 'loading' | 'drawn' | UndrawnPhase;

interface Loaded {
  phase: Phase;
  code: MapCode | null;
}

async function tryLoading(): Promise<Loaded> {
  if (!canDrawMaps()) return { phase: 'unsupported', code: null };
  try {
    return { phase: 'loading', code: await loadMapCode() };
  } catch {
    return { phase: 'failed', code: null };
  }
}

/** In seconds, for the code and again for the first picture: a phone on a poor line is slow but gets there. */
const longestWait = 30;

/** Ends the wait for code or a worker that never responds. Hidden tabs render nothing, so their time doesn't count. */
function useLongestWait(isWaiting: boolean, onOver: () => void): void {
  const over = useEffectEvent(onOver);
  useEffect(() => {
    if (!isWaiting) return undefined;
    let seconds = 0;
    const timer = setInterval(() => {
      if (!document.hidden) seconds += 1;
      if (seconds >= longestWait) over();
    }, 1_000);
    return () => clearInterval(timer);
  }, [isWaiting]);
}

/** Reserves the map's place at its final size. The map's code is loaded in the browser. */
export function LazyMap(props: LazyMapProps) {
  const [attempt, setAttempt] = useState(1);
  function retry(): void {
    // If the code is loaded, before the next attempt creates its map. Otherwise the attempt loads it.
    mapCode?.then(({ restartWorkers }) => restartWorkers()).catch(() => undefined);
    setAttempt(attempt + 1);
  }
  return <MapFrame key={attempt} {...props} onRetry={retry} />;
}

function MapFrame({
  heights,
  loadingText,
  isWaiting = false,
  failure = null,
  still,
  children,
  onReload,
  onRetry,
  ...map
}: LazyMapProps & { onRetry: () => void }) {
  const frame = useRef<HTMLDivElement>(null);
  const isWanted = still?.isWanted ?? true;
  const [loaded, setLoaded] = useState<Loaded>({ phase: 'loading', code: null });
  const [isDrawn, setIsDrawn] = useState(false);
  const [hasTilesFailed, setHasTilesFailed] = useState(false);
  useEffect(() => (isWanted ? showWhenLoaded(tryLoading(), setLoaded) : undefined), [isWanted]);

  const { code } = loaded;
  const phase = !isWanted ? 'still' : code !== null && isDrawn ? 'drawn' : loaded.phase;
  const giveUp = (): void => setLoaded({ phase: 'failed', code: null });
  useLongestWait(phase === 'loading' && code === null, giveUp);
  useLongestWait(phase === 'loading' && code !== null, giveUp);
  const isBusy = phase === 'loading' || (phase === 'drawn' && isWaiting);
  const hadFocus = useRef(false);
  function onDrawn(): void {
    hadFocus.current = frame.current?.contains(document.activeElement) === true;
    setIsDrawn(true);
  }
  useEffect(() => {
    // The button that started the map by keyboard is gone, and the map is visible only now.
    if (phase === 'drawn' && hadFocus.current)
      frame.current?.querySelector('canvas')?.focus({ preventScroll: true });
  }, [phase]);
  return (
    <>
      <Frame
        ref={frame}
        $heights={heights}
        data-map={isBusy ? 'loading' : phase}
        onPointerEnter={still?.onWant}
        onPointerDown={still?.onWant}
      >
        {phase === 'still' || phase === 'loading' ? still?.drawing : null}
        {still !== undefined && (phase === 'still' || phase === 'loading') ? (
          <StartButton variant="secondary" aria-disabled={isWanted} onClick={still.onWant}>
            {mapCopy.start}
          </StartButton>
        ) : null}
        {code === null ? null : (
          <code.ProviderMap
            {...map}
            basemap={code.basemap}
            onDrawn={onDrawn}
            onTilesFailed={() => setHasTilesFailed(true)}
            onUndrawn={(outcome) => setLoaded({ phase: outcome, code: null })}
          />
        )}
        {phase === 'drawn' && failure === null ? children : null}
        <MapMessage
          phase={phase}
          failure={failure ?? (phase === 'failed' ? mapCopy.failed : null)}
          loadingText={isBusy ? loadingText : null}
          isOver={phase === 'drawn' || still !== undefined}
          onRetry={failure === null ? onRetry : onReload}
        />
      </Frame>
      {hasTilesFailed && phase === 'drawn' ? <Notice>{mapCopy.tilesFailed}</Notice> : null}
    </>
  );
}

interface MessageProps {
  phase: Phase;
  failure: string | null;
  loadingText: string | null;
  /** What is beneath the loading text stays visible. */
  isOver: boolean;
  onRetry: (() => void) | undefined;
}

function MapMessage({ phase, failure, loadingText, isOver, onRetry }: MessageProps) {
  if (failure !== null)
    return (
      <Message role="alert">
        <p>{failure}</p>
        <Button variant="secondary" onClick={onRetry}>
          {mapCopy.tryAgain}
        </Button>
      </Message>
    );
  if (phase === 'unsupported') return <Message>{mapCopy.unsupported}</Message>;
  return loadingText === null ? null : (
    <Message $isCovering={!isOver}>
      <output>{loadingText}</output>
    </Message>
  );
}

const Frame = styled.div<{ $heights: MapHeights }>`
  position: relative;
  block-size: ${({ $heights }) => $heights[0]}px;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: color-mix(in srgb, ${token.secondary} 11%, #ffffff);
  overflow: hidden;
  isolation: isolate;

  ${media.tablet} {
    block-size: ${({ $heights }) => $heights[1]}px;
  }

  ${media.desktop} {
    block-size: ${({ $heights }) => $heights[2]}px;
  }
`;

/** Where the map's own buttons will be. */
const StartButton = styled(Button)`
  position: absolute;
  inset: auto 0.75rem 0.75rem auto;
  background: ${token.background};
  ${needsScripts}
`;

/** Below the map, where neither a popup nor a button covers it. */
const Notice = styled.output`
  display: block;
  padding-block: 0.5rem;
  font-size: 0.875rem;
  line-height: 1.4;
`;

const covering = css`
  /* Above the map's own controls. */
  z-index: 3;
  background: color-mix(in srgb, ${token.secondary} 6%, #ffffff);
`;

const Message = styled.div<{ $isCovering?: boolean }>`
  position: absolute;
  inset: 0;
  display: grid;
  place-content: center;
  justify-items: center;
  gap: 1rem;
  padding: 1.5rem;
  color: ${token.primary};
  font-weight: 600;
  text-align: center;
  pointer-events: ${({ $isCovering = true }) => ($isCovering ? 'auto' : 'none')};
  ${({ $isCovering = true }) => ($isCovering ? covering : null)}
`;
