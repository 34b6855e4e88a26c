/**
 * States and territories by code, with the ranges of the first digits of their ZIP codes (USPS Publication 65). A
 * longer beginning wins: 96799 is in American Samoa, the other ZIP codes of 967 in Hawaii.
 */
const stateTable: Readonly<Record<string, readonly [name: string, prefixes: string]>> = {
  AK: ['Alaska', '995-999'],
  AL: ['Alabama', '350-369'],
  AR: ['Arkansas', '716-729'],
  AS: ['American Samoa', '96799'],
  AZ: ['Arizona', '850-865'],
  CA: ['California', '900-961'],
  CO: ['Colorado', '800-816'],
  CT: ['Connecticut', '060-069'],
  DC: ['District of Columbia', '200 202-205 569'],
  DE: ['Delaware', '197-199'],
  FL: ['Florida', '320-349'],
  GA: ['Georgia', '300-319 398-399'],
  GU: ['Guam', '9691-9693'],
  HI: ['Hawaii', '967-968'],
  IA: ['Iowa', '500-528'],
  ID: ['Idaho', '832-838'],
  IL: ['Illinois', '600-629'],
  IN: ['Indiana', '460-479'],
  KS: ['Kansas', '660-679'],
  KY: ['Kentucky', '400-427'],
  LA: ['Louisiana', '700-714'],
  MA: ['Massachusetts', '010-027 055'],
  MD: ['Maryland', '20588 206-219'],
  ME: ['Maine', '039-049'],
  MI: ['Michigan', '480-499'],
  MN: ['Minnesota', '550-567'],
  MO: ['Missouri', '630-658 72643'],
  MP: ['Northern Mariana Islands', '9695'],
  MS: ['Mississippi', '386-397'],
  MT: ['Montana', '590-599'],
  NC: ['North Carolina', '270-289'],
  ND: ['North Dakota', '580-588'],
  NE: ['Nebraska', '680-693'],
  NH: ['New Hampshire', '030-038'],
  NJ: ['New Jersey', '070-089'],
  NM: ['New Mexico', '870-884'],
  NV: ['Nevada', '889-898'],
  NY: ['New York', '005 06390 100-149'],
  OH: ['Ohio', '430-459'],
  OK: ['Oklahoma', '730-732 734-749'],
  OR: ['Oregon', '970-979'],
  PA: ['Pennsylvania', '150-196'],
  PR: ['Puerto Rico', '006-007 009'],
  RI: ['Rhode Island', '028-029'],
  SC: ['South Carolina', '290-299'],
  SD: ['South Dakota', '570-577'],
  TN: ['Tennessee', '370-385'],
  TX: ['Texas', '733 73960 750-799 885'],
  UT: ['Utah', '840-847'],
  VA: ['Virginia', '201 20598 220-246'],
  VI: ['US Virgin Islands', '008'],
  VT: ['Vermont', '050-054 056-059'],
  WA: ['Washington', '980-994'],
  WI: ['Wisconsin', '530-549'],
  WV: ['West Virginia', '247-268'],
  WY: ['Wyoming', '820-831 83414'],
};

function listPrefixes(ranges: string): string[] {
  return ranges.split(' ').flatMap((range) => {
    const [first = '', last = first] = range.split('-');
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, at) => String(Number(first) + at).padStart(first.length, '0'));
  });
}

const stateByPrefix = new Map(
  Object.entries(stateTable).flatMap(([code, [, ranges]]) =>
    listPrefixes(ranges).map((prefix) => [prefix, code] as const),
  ),
);

/** The code of the state that a ZIP code is in; null for one with an unknown beginning. */
export function findStateOfZip(zipCode: string): string | null {
  for (const length of [5, 4, 3]) {
    const code = stateByPrefix.get(zipCode.slice(0, length));
    if (code !== undefined) return code;
  }
  return null;
}

/** `Colorado` of `CO`; null for another text. */
export function findStateName(code: string): string | null {
  return stateTable[code]?.[0] ?? null;
}
