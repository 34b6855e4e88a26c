/**
 * City and state in an address such as `100 Sample Street, Denver, CO 80202`. Null for an address of another shape:
 * naming no city is better than naming a street as one.
 */
export function cityOf(address: string | null): string | null {
  const parts = (address ?? '').split(',').map((part) => part.trim());
  const [, state] = /^([A-Z]{2})(?:\s+\d{5}(?:-\d{4})?)?$/.exec(parts.at(-1) ?? '') ?? [];
  const city = parts.at(-2) ?? '';
  return state === undefined || city === '' || /\d/.test(city) ? null : `${city}, ${state}`;
}
