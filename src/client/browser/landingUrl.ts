import { useEffect } from 'react';

const outcomeParameters = ['success', 'error'];

/** The address without the `success` and `error` query parameters; all others, their order and spelling, and the hash stay. */
export function addressWithoutOutcome(address: string): string {
  const { origin, pathname, search, hash } = new URL(address);
  const pairs = search.slice(1).split('&');
  const kept = pairs.filter((pair) => !outcomeParameters.some((name) => new URLSearchParams(pair).has(name)));
  if (kept.length === pairs.length) return address;
  return `${origin}${pathname}${kept.length === 0 ? '' : `?${kept.join('&')}`}${hash}`;
}

/** The same for the page that is open: what it was told there was told once. */
export function useAddressWithoutOutcome(): void {
  useEffect(() => {
    const address = addressWithoutOutcome(window.location.href);
    if (address !== window.location.href) window.history.replaceState(window.history.state, '', address);
  }, []);
}
