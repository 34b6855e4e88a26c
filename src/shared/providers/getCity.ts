import { splitAddress } from './addressParts.ts';

/**
 * City and state in an address such as `100 Sample Street, Denver, CO 80202`. Null for an address of another shape:
 * naming no city is better than naming a street as one.
 */
export function getCity(address: string | null): string | null {
  const parts = splitAddress(address ?? '');
  return parts === null ? null : `${parts.city}, ${parts.state}`;
}
