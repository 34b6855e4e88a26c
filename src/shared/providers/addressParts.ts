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

/** States and territories by the first digit of their ZIP codes. */
const statesByZip: readonly string[] = [
  'CT MA ME NH NJ PR RI VI VT',
  'DE NY PA',
  'DC MD NC SC VA WV',
  'AL FL GA MS TN',
  'IN KY MI OH',
  'IA MN MT ND SD WI',
  'IL KS MO NE',
  'AR LA OK TX',
  'AZ CO ID NM NV UT WY',
  'AK AS CA GU HI MP OR WA',
];

/** What stands before a state in an address without a city. */
const noCity =
  /\b(?:apt|apartment|bldg|building|box|dept|fl|floor|rm|room|ste|suite|unit)\b|#|\b(?:ave|avenue|blvd|boulevard|cir|circle|ct|court|dr|drive|hwy|highway|lane|ln|parkway|pkwy|place|plaza|rd|road|square|st|street|way)\.?$/i;

/** Null unless certain: search engines should keep the whole address rather than read a wrong city. */
export function addressParts(address: string | null, zipCode: string): AddressParts | null {
  const parts = splitAddress(address ?? '');
  if (parts === null) return null;
  const { street, city, state, zip } = parts;
  const states = statesByZip[Number(zipCode.slice(0, 1))] ?? '';
  const isCertain =
    /^[^,]*\d/.test(street) &&
    !noCity.test(city) &&
    states.split(' ').includes(state) &&
    (zip === null || zip === zipCode.slice(0, 5));
  return isCertain ? { street, city, state } : null;
}

/** City and state of `100 Sample Street, Denver, CO 80202`; null for another shape, rather than a street as city. */
export function getCity(address: string | null): string | null {
  const parts = splitAddress(address ?? '');
  return parts === null ? null : `${parts.city}, ${parts.state}`;
}
