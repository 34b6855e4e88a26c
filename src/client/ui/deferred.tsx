import { type ComponentType, lazy, memo, Suspense, useEffect, useRef } from 'react';
import { styled } from 'styled-components';

/** Any of these events, anywhere in the page, says that somebody is there. */
const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin', 'input'];

/** Whether the visitor acted before this code ran: followed an anchor, scrolled, or chose a control. */
function hasActed(): boolean {
  const { activeElement, body } = document;
  return window.location.hash !== '' || window.scrollY > 0 || (activeElement ?? body) !== body;
}

/** Resolves at the first sign of a visitor. */
function waitForVisitor(): Promise<void> {
  return new Promise((resolve) => {
    const listening = new AbortController();
    const end = (): void => {
      listening.abort();
      resolve();
    };
    const options = { capture: true, passive: true, signal: listening.signal };
    for (const sign of signs) window.addEventListener(sign, end, options);
    if (hasActed()) end();
  });
}

/**
 * A component whose code is loaded at the first sign of a visitor. In the browser only. If the code can't be loaded,
 * the server's HTML stays.
 */
export function lazyForVisitor(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async () => {
    await waitForVisitor();
    try {
      return { default: await load() };
    } catch {
      return new Promise<never>(() => {});
    }
  });
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

/** The footer stays below the fold if the part arrives late after a client navigation. */
const Space = styled.div`
  min-block-size: 100dvh;
`;
