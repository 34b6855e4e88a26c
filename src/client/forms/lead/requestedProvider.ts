import { parseProviderId } from '#shared/formats/providerIdParam.ts';

/** The provider that the page's address requests by `?providerId=`, or null. */
export function requestedProvider(search: string): number | null {
  return parseProviderId(new URLSearchParams(search).get('providerId'));
}
