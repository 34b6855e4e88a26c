import {
  usePathname as useBrowserPathname,
  useSearch as useBrowserSearch,
} from 'wouter/use-browser-location';
import { type MouseEvent, useEffect } from 'react';

/** wouter's location without its router, which only the dashboard needs. */
export { navigate } from 'wouter/use-browser-location';

/** The path of the open page, which follows client navigation. Always the same on the server. */
export function usePathname(): string {
  return useBrowserPathname(import.meta.env.SSR ? { ssrPath: '/' } : {});
}

/** The query string of the open page, without its question mark. */
export function useQuery(): string {
  return useBrowserSearch(import.meta.env.SSR ? { ssrSearch: '' } : {}).slice(1);
}

/** Whether the browser opens the clicked link elsewhere: the page must not handle the click. */
export function wantsNewTab(event: MouseEvent): boolean {
  return event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
}

const outcomeParameters = ['success', 'error'];

/** The URL without its `success` and `error` query parameters; the rest is unchanged. */
export function addressWithoutOutcome(address: string): string {
  const { origin, pathname, search, hash } = new URL(address);
  const pairs = search.slice(1).split('&');
  const kept = pairs.filter((pair) => !outcomeParameters.some((name) => new URLSearchParams(pair).has(name)));
  if (kept.length === pairs.length) return address;
  return `${origin}${pathname}${kept.length === 0 ? '' : `?${kept.join('&')}`}${hash}`;
}

/** Removes them from the URL of the open page, so that a reload doesn't repeat the message. */
export function useAddressWithoutOutcome(): void {
  useEffect(() => {
    const address = addressWithoutOutcome(window.location.href);
    if (address !== window.location.href) window.history.replaceState(window.history.state, '', address);
  }, []);
}
