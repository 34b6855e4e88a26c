import { findStateOfZip } from './states.ts';

export interface AddressParts {
  street: string;
  city: string;
  state: string;
}

/** The parts of an address that ends with city and state, such as `100 Sample Street, Denver, CO 80202`. */
function splitAddress(address: string): (AddressParts & { zip: string | null }) | null {
  const parts = address.split(',').map((part) => part.trim());
  const [, state, zip = null] = /^([A-Z]{2})(?:\s+(\d{5})(?:-\d{4})?)?$/.exec(parts.at(-1) ?? '') ?? [];
  const city = parts.at(-2) ?? '';
  if (state === undefined || city === '' || /\d/.test(city)) return null;
  return { street: parts.slice(0, -2).join(', '), city, state, zip };
}

/** What stands before a state in an address without a city. */
const noCity =
  /\b(?:apt|apartment|bldg|building|box|dept|fl|floor|rm|room|ste|suite|unit)\b|#|\b(?:ave|avenue|blvd|boulevard|cir|circle|ct|court|dr|drive|hwy|highway|lane|ln|parkway|pkwy|place|plaza|rd|road|square|st|street|way)\.?$/i;

/** An address whose last parts are a town and a state that the ZIP code is in; null for any other. */
function splitPlaced(address: string | null, zipCode: string): AddressParts | null {
  const parts = splitAddress(address ?? '');
  if (parts === null) return null;
  const { street, city, state, zip } = parts;
  const isPlaced =
    !noCity.test(city) && findStateOfZip(zipCode) === state && (zip === null || zip === zipCode.slice(0, 5));
  return isPlaced ? { street, city, state } : null;
}

/** Null unless certain: search engines should keep the whole address rather than read a wrong city. */
export function addressParts(address: string | null, zipCode: string): AddressParts | null {
  const parts = splitPlaced(address, zipCode);
  return parts !== null && /^[^,]*\d/.test(parts.street) ? parts : null;
}

/**
 * The state of a provider, by its ZIP code, and its town: the one that its address names, else the ZIP code's
 * (server/tenant/zipTowns.ts). Without a town if the address names one elsewhere: which of the two is wrong isn't
 * known.
 */
export function findTown(
  address: string | null,
  zipCode: string,
  findZipTown: (zipCode: string) => { city: string } | null,
): { state: string; city: string | null } | null {
  const state = findStateOfZip(zipCode);
  if (state === null) return null;
  const placed = splitPlaced(address, zipCode);
  if (placed !== null) return { state, city: placed.city };
  const named = splitAddress(address ?? '');
  const isElsewhere = named !== null && !noCity.test(named.city);
  return { state, city: isElsewhere ? null : (findZipTown(zipCode)?.city ?? null) };
}

/** City and state of `100 Sample Street, Denver, CO 80202`; null for another shape, rather than a street as city. */
export function getCity(address: string | null): string | null {
  const parts = splitAddress(address ?? '');
  return parts === null ? null : `${parts.city}, ${parts.state}`;
}

/** `100 Sample Street, Denver, CO 80202` of an address with or without the ZIP code, and with any comma before it. */
export function addressLine(address: string, zipCode: string): string {
  const written = address.trim();
  const [before = written] = written.endsWith(zipCode) ? [written.slice(0, -zipCode.length)] : [];
  return `${before.replace(/[\s,]+$/, '')} ${zipCode}`;
}
