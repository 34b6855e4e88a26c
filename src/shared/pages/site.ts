import { paths } from './paths.ts';

/** How visitors reach the brand, and what its legal texts fill in. From configuration, never from code. */
export interface SiteContacts {
  email: string;
  phone: string;
  postalAddress: string;
  arbitrationPlace: string;
}

/** The part of the configuration a browser may know. */
export interface PublicConfig {
  /** `https://brand.example`, or the development address. */
  mainOrigin: string;
  contacts: SiteContacts;
  providerSignupUrl: string;
  starterKitUrl: string;
  /** Street tiles for maps, with `{z}`, `{x}` and `{y}`; null for none. */
  mapTilesUrl: string | null;
  /** Whether the brand's own site has ad accounts; their ids stay on the server until a visitor has agreed. */
  measuresAds: boolean;
  /** When the recruitment page's offer ends (ISO 8601, UTC); null where its countdown is tied to no date. */
  offerEndsAt: string | null;
}

/** A clinic's own address; the main site's where it has no domain. Its domain is served like the main site: same scheme, in development same port. */
export function providerOrigin({ domain }: { domain: string | null }, mainOrigin: string): string {
  if (domain === null) return mainOrigin;
  const { protocol, port } = new URL(mainOrigin);
  return `${protocol}//${domain}${port === '' ? '' : `:${port}`}`;
}

/** A clinic's home page, which is the one search engines should show: on its own domain, else on the main site under its number. */
export function providerHome(provider: { id: number; domain: string | null }, mainOrigin: string): string {
  const home = `${providerOrigin(provider, mainOrigin)}${paths.home}`;
  return provider.domain === null ? `${home}?providerId=${provider.id}` : home;
}
