import { type ComponentType, lazy, memo, Suspense, useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';

/** Dispatched when the page shows a part's empty space: React gave up the server's HTML, which was changed. */
const spaceShown = 'deferred-space';

/** Any of these events, anywhere in the page, says that somebody is there, or that a part is missing. */
const signs = [
  spaceShown,
  'pointermove',
  'pointerdown',
  'touchstart',
  'wheel',
  'scroll',
  'keydown',
  'focusin',
  'input',
];

/** Whether this visit continues another: a page that is shown again has a step, values or a place to restore. */
function isShownAgain(): boolean {
  const [load] = performance.getEntriesByType('navigation');
  return load instanceof PerformanceNavigationTiming && load.type !== 'navigate';
}

/** Whether the visitor acted before this code ran: came back, followed an anchor, scrolled, or chose a control. */
export function hasActed(): boolean {
  const { activeElement, body } = document;
  const isInUse = window.location.hash !== '' || window.scrollY > 0 || (activeElement ?? body) !== body;
  return isInUse || isShownAgain();
}

let visitor: Promise<void> | null = null;

/** Resolves once a visitor does anything in this document. */
function waitForVisitor(): Promise<void> {
  visitor ??= new Promise((resolve) => {
    const listening = new AbortController();
    const end = (): void => {
      listening.abort();
      resolve();
    };
    const options = { capture: true, passive: true, signal: listening.signal };
    for (const sign of signs) window.addEventListener(sign, end, options);
    if (hasActed()) end();
  });
  return visitor;
}

/** Loads the code of each part of the page that is not loaded yet. */
const loads: (() => Promise<void>)[] = [];

/**
 * Loads the deferred parts if a visitor is using the page already. Call it before hydration: if React then gives up the
 * server's HTML, because something changed it, it can replace a form in use in one go.
 */
export async function loadPartsInUse(): Promise<void> {
  if (hasActed()) await Promise.allSettled(loads.map((load) => load()));
}

/** A component whose code is loaded once the visitor does anything. If that fails, the server's HTML stays. */
export function lazyForVisitor(load: () => Promise<ComponentType>): ComponentType {
  const { Part, loadNow } = forVisitor(load);
  loads.push(loadNow);
  return Part;
}

/**
 * The same for a component that may not be in the page, or that waits for something else. `loadNow` loads it before its
 * first render.
 */
export function forVisitor(
  load: () => Promise<ComponentType>,
  wait = waitForVisitor,
): { Part: ComponentType; loadNow: () => Promise<void> } {
  let Loaded: ComponentType | null = null;
  const Lazy = lazy(async () => {
    await wait();
    try {
      return { default: await load() };
    } catch {
      return new Promise<never>(() => {});
    }
  });
  return {
    Part: function ForVisitor() {
      const [Part] = useState(() => Loaded ?? Lazy);
      return <Part />;
    },
    loadNow: async () => {
      Loaded = await load();
    },
  };
}

/**
 * A part of a page that is rendered by the server with the page. In the browser, it stays the server's HTML, in which
 * links, inputs and forms work, until its code has arrived (`lazyForVisitor`). `data-waiting` on the document says that
 * a part of the page is not interactive yet.
 *
 * The part takes no properties and is never rendered again by its parent: React would replace the server's HTML with the
 * empty space, because it couldn't compare them yet.
 */
export function deferred(Part: ComponentType): ComponentType {
  return memo(function Deferred() {
    const isLive = useRef(false);
    useEffect(() => {
      const { dataset } = document.documentElement;
      if (!isLive.current) dataset['waiting'] = '';
      return () => {
        delete dataset['waiting'];
      };
    }, []);
    return (
      <Suspense fallback={<Space />}>
        <Part />
        <Live
          onLive={() => {
            isLive.current = true;
            delete document.documentElement.dataset['waiting'];
            repeatEarlyClick();
          }}
        />
      </Suspense>
    );
  });
}

function Live({ onLive }: { onLive: () => void }) {
  useEffect(onLive, [onLive]);
  return null;
}

function Space() {
  useEffect(() => {
    window.dispatchEvent(new Event(spaceShown));
  }, []);
  return <EmptySpace />;
}

/** The footer stays below the fold if the part arrives late after a client navigation. */
const EmptySpace = styled.div`
  min-block-size: 100dvh;
`;

let lastClick: MouseEvent | null = null;

/** Remembers the last click from now on. Call it before the page's code is loaded. */
export function rememberClicks(): void {
  document.addEventListener('click', (event) => (lastClick = event), true);
}

/** What works only with code: buttons, and links that may be busy. Links and buttons of forms are the browser's. */
const needsCode = 'main :is(button[type=button], a[aria-busy])';

/**
 * Passes on the clicks that React stops at its root, because they are on HTML that it hasn't hydrated yet: no listener
 * of the document gets them. Added during a click, the listener comes after React's.
 */
export function onStoppedClick(follow: (event: MouseEvent) => void): void {
  const pass = (event: MouseEvent): void => {
    if (event.cancelBubble) follow(event);
  };
  const listen = (): void => {
    document.getElementById('root')?.addEventListener('click', pass, { capture: true, once: true });
  };
  document.addEventListener('click', listen, true);
}

/** Repeats the last click if it was on such an element: React drops clicks on HTML that it hasn't hydrated yet. */
function repeatEarlyClick(): void {
  const click = lastClick;
  lastClick = null;
  // React hydrates a part whose code is there during a click, and then passes the click on itself.
  if (click === null || click.eventPhase !== Event.NONE) return;
  const clicked = click.target instanceof Element ? click.target.closest<HTMLElement>(needsCode) : null;
  // After React's own work. A handler may have React render at once.
  if (clicked?.isConnected === true) queueMicrotask(() => clicked.click());
}

/** For an effect: passes `loaded`, which must not reject, to `show` unless the returned function was called before. */
export function showWhenLoaded<Loaded>(loaded: Promise<Loaded>, show: (loaded: Loaded) => void): () => void {
  let isWanted = true;
  const deliver = async (): Promise<void> => {
    const value = await loaded;
    if (isWanted) show(value);
  };
  void deliver();
  return () => {
    isWanted = false;
  };
}
