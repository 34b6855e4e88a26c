import { zipInText } from './zip.ts';

/**
 * Prefixes of ZIP codes by their time zones, from east to west: the zone at each ZIP code's center, checked by hand
 * against the counties' legal zones (Phenix City keeps Georgia's time). A prefix that a boundary crosses has both
 * zones. A longer one is an exception. Military mail, whose ZIP codes are anywhere, has no zone. Zones whose clocks
 * have agreed since 2008 count as one: Indiana's are `America/New_York`, Boise's `America/Denver`.
 */
const zonePrefixes: Readonly<Record<string, string>> = {
  'America/Puerto_Rico': '006-009',
  'America/New_York':
    '005 010-089 100-212 214-268 270-323 326-339 341-342 344 346-347 349 374 376 378-379 398-400 402-418 425 430-462 466-468 470-474 478 480-497 569',
  'America/New_York America/Chicago': '324 368 373 377 401 426-427 465 469 475 479 498-499',
  'America/Chicago':
    '325 350-352 354-367 369-372 375 380-397 420-424 463-464 476-477 500-516 520-528 530-532 534-535 537-551 553-567 570-574 580-584 587 600-620 622-631 633-641 644-658 660-662 664-676 679-681 683-689 700-701 703-708 710-714 716-731 733-741 743-770 772-797',
  'America/Chicago America/Denver': '575-576 585-586 588 677-678 690-692 798',
  'America/Denver': '577 590-599 693 799-816 820-834 836-837 840-847 870-871 873-885',
  'America/Denver America/Phoenix': '860 865',
  'America/Phoenix': '850-853 855-857 859 863-864',
  'America/Denver America/Los_Angeles': '835 898 979',
  'America/Los_Angeles': '838 889-891 893-895 897 900-908 910-928 930-961 970-978 980-986 988-994',
  'America/Anchorage': '995-999',
  'America/Adak': '99546 99547',
  'Pacific/Honolulu': '967-968',
  'Pacific/Pago_Pago': '96799',
  'Pacific/Guam': '969',
  // Wake Island, Palau, Micronesia and the Marshall Islands.
  '': '96898 96939 9694 9696 9697',
};

const zonesByPrefix = new Map(
  Object.entries(zonePrefixes).flatMap(([names, ranges]) => {
    const zones = names === '' ? [] : names.split(' ');
    return ranges.split(' ').flatMap((range) => {
      const [first = '', last = first] = range.split('-');
      return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => {
        const prefix = String(Number(first) + index).padStart(first.length, '0');
        return [prefix, zones] as const;
      });
    });
  }),
);

/** A winter's and a summer's noon, by which zones with other names have the same clock: Indiana's and New York's. */
const clockTests = [Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 6, 15, 12)].map((at) => new Date(at));

function readClocks(timeZone: string): string {
  return clockTests.map((at) => at.toLocaleString('en-US', { timeZone })).join();
}

/** The zones of a ZIP code if none of them has the clock of `zone`; empty if one has, or if none is known. */
export function findOtherZones(zipCode: string, zone: string): readonly string[] {
  const zones = findZones(zipCode);
  return zones.some((known) => readClocks(known) === readClocks(zone)) ? [] : zones;
}

/** The IANA zones of a ZIP code, mostly one, from east to west. Empty: it can't be placed in one. */
export function findZones(zipCode: string): readonly string[] {
  const zip5 = zipInText(zipCode) ?? '';
  const prefix = [5, 4, 3].map((length) => zip5.slice(0, length)).find((part) => zonesByPrefix.has(part));
  return zonesByPrefix.get(prefix ?? '') ?? [];
}
