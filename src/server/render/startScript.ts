/**
 * Runs in the browser as the last thing in every page: its text is put there, so it must use nothing from outside itself. It fetches the
 * code named on its own element once the page is painted, as until then that code would only take the network and the processor from what is
 * there to be read; a page that is nothing without its code (`data-at-once`) does not wait. A page that is opened in the background is never painted, and an old browser doesn't tell: neither waits long.
 */
export function startAfterPaint(): void {
  const { script = '', chunks = '', atOnce } = document.currentScript?.dataset ?? {};
  const longestWaitMs = 2_000;
  let isStarted = false;

  function start(): void {
    if (isStarted) return;
    isStarted = true;
    for (const href of chunks.split(' ').filter(Boolean)) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = href;
      document.head.append(link);
    }
    const element = document.createElement('script');
    element.type = 'module';
    element.src = script;
    document.head.append(element);
  }

  document.addEventListener('DOMContentLoaded', () => {
    if (atOnce !== undefined || document.visibilityState === 'hidden') start();
    setTimeout(start, longestWaitMs);
    new PerformanceObserver(start).observe({ type: 'paint', buffered: true });
  });
}
