let clicked: Node | null = null;

/** Remembers the last click from now on. Call it before the page's code is loaded. */
export function rememberClicks(): void {
  document.addEventListener('click', ({ target }) => (clicked = target instanceof Node ? target : null), {
    capture: true,
  });
}

/**
 * The last clicked element, if it is inside `part`, and only once. A part whose code arrives late asks for it as soon as
 * it is live: React drops clicks on HTML that it hasn't hydrated yet.
 */
export function takeEarlyClick(part: Element): Element | null {
  if (!part.contains(clicked)) return null;
  const element = clicked instanceof Element ? clicked : (clicked?.parentElement ?? null);
  clicked = null;
  return element;
}
