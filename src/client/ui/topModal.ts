import { useSyncExternalStore } from 'react';

/** The dialog that lies over the page; null while none does. Everything outside it is beneath it, and inert. */
export function useTopModal(): Element | null {
  return useSyncExternalStore(watchDialogs, topModal);
}

function topModal(): Element | null {
  return [...document.querySelectorAll('dialog:modal')].at(-1) ?? null;
}

/** By what changes in the page, as a dialog that is taken out of it while open tells nobody. */
function watchDialogs(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['open'],
  });
  return () => observer.disconnect();
}
