import { paths, providerFormAnchor } from './paths.ts';

/** The brand's contacts, also used in its legal texts. They come from the configuration. */
export interface SiteContacts {
  email: string;
  phone: string;
  /** `tel:` link of the number. */
  phoneHref: string;
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

/** A provider's origin: its own domain with the scheme and port of the main site, or the main site without a domain. */
export function providerOrigin({ domain }: { domain: string | null }, mainOrigin: string): string {
  if (domain === null) return mainOrigin;
  const { protocol, port } = new URL(mainOrigin);
  return `${protocol}//${domain}${port === '' ? '' : `:${port}`}`;
}

/** A provider's home page for search engines: on its own domain, or on the main site with its id. */
export function providerHome(provider: { id: number; domain: string | null }, mainOrigin: string): string {
  const home = `${providerOrigin(provider, mainOrigin)}${paths.home}`;
  return provider.domain === null ? `${home}?providerId=${provider.id}` : home;
}

/** The form that requests a consultation with a provider, on the main site. */
export function requestPath(providerId: number): string {
  return `${paths.home}?providerId=${providerId}#${providerFormAnchor}`;
}
