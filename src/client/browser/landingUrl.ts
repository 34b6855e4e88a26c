import { useEffect } from 'react';

const outcomeParameters = ['success', 'error'];

/**
 * The URL without the `success` and `error` query parameters. All others, their order and spelling, and the hash stay.
 */
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
