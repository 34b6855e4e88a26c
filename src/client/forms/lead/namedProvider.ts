import type { MatchPreview } from '#shared/leads/matching.ts';
import { parseProviderId } from '#shared/formats/providerIdParam.ts';

export type NamedProvider = NonNullable<MatchPreview>;

/** The provider that this document named last. Null if it named none. */
let lastNamed: NamedProvider | null = null;

/** The provider that the visitor was shown last. */
export function lastNamedProvider(): NamedProvider | null {
  return lastNamed;
}

export function rememberNamed(provider: NamedProvider | null): void {
  lastNamed = provider;
}

/** The provider that the page's address requests by `?providerId=`, or null. */
export function requestedProvider(search: string): number | null {
  return parseProviderId(new URLSearchParams(search).get('providerId'));
}
