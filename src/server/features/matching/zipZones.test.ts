import { expect, test } from 'vitest';
import { loadZipTable } from './zipTable.ts';
import { findOtherZones, findZones } from '#shared/leads/zipZones.ts';

const eastern = 'America/New_York';
const central = 'America/Chicago';
const mountain = 'America/Denver';
const pacific = 'America/Los_Angeles';
const arizona = 'America/Phoenix';

test.each([
  ['46204', 'Indianapolis', [eastern]],
  ['46402', 'Gary IN', [central]],
  ['47708', 'Evansville IN', [central]],
  ['46534', 'Knox IN, beside Eastern South Bend', [eastern, central]],
  ['40202', 'Louisville KY', [eastern]],
  ['42001', 'Paducah KY', [central]],
  ['42701', 'Elizabethtown KY, beside Central Munfordville', [eastern, central]],
  ['37402', 'Chattanooga TN', [eastern]],
  ['37201', 'Nashville TN', [central]],
  ['37327', 'Dunlap TN, beside Eastern Dayton', [eastern, central]],
  ['83702', 'Boise ID', [mountain]],
  ['83814', "Coeur d'Alene ID", [pacific]],
  ['83501', 'Lewiston ID, with Riggins', [mountain, pacific]],
  ['97201', 'Portland OR', [pacific]],
  ['97914', 'Ontario OR, with Huntington', [mountain, pacific]],
  ['85004', 'Phoenix AZ', [arizona]],
  ['86515', 'Window Rock AZ, Navajo Nation', [mountain, arizona]],
  ['86045', 'Tuba City AZ, with Flagstaff', [mountain, arizona]],
  ['87420', 'Shiprock NM, Navajo Nation', [mountain]],
  ['32501', 'Pensacola FL', [central]],
  ['32456', 'Port St. Joe FL, beside Central Panama City', [eastern, central]],
  ['32301', 'Tallahassee FL', [eastern]],
  ['49829', 'Escanaba MI, beside Central Iron Mountain', [eastern, central]],
  ['49938', 'Ironwood MI, beside Eastern Houghton', [eastern, central]],
  ['68102', 'Omaha NE', [central]],
  ['69101', 'North Platte NE, beside Mountain Ogallala', [central, mountain]],
  ['69361', 'Scottsbluff NE', [mountain]],
  ['57104', 'Sioux Falls SD', [central]],
  ['57501', 'Pierre SD, with Philip', [central, mountain]],
  ['57701', 'Rapid City SD', [mountain]],
  ['58102', 'Fargo ND', [central]],
  ['58601', 'Dickinson ND', [central, mountain]],
  ['67735', 'Goodland KS', [central, mountain]],
  ['79901', 'El Paso TX', [mountain]],
  ['89883', 'West Wendover NV, with Elko', [mountain, pacific]],
  ['36867', 'Phenix City AL', [eastern, central]],
  ['99501', 'Anchorage', ['America/Anchorage']],
  ['99546', 'Adak', ['America/Adak']],
  ['96813', 'Honolulu', ['Pacific/Honolulu']],
  ['96799', 'American Samoa', ['Pacific/Pago_Pago']],
  ['00901', 'San Juan PR', ['America/Puerto_Rico']],
  ['00802', 'St. Thomas VI', ['America/Puerto_Rico']],
  ['96910', 'Guam', ['Pacific/Guam']],
  ['80200', 'an unassigned ZIP of Denver', [mountain]],
  ['80202-1234', 'with its addition', [mountain]],
  ['Denver, CO 80202', 'in an address', [mountain]],
  ['09012', 'APO, Germany', []],
  ['96310', 'APO, Japan', []],
  ['34025', 'APO, Americas', []],
  ['96960', 'Marshall Islands', []],
  ['00000', 'nowhere', []],
  ['none', 'no ZIP code', []],
  ['', 'nothing', []],
])('%s (%s) is in %j', (zip, _, zones) => {
  expect(findZones(zip)).toEqual(zones);
});

test('every prefix of the ZIP table has zones, except those of military mail', () => {
  const prefixes = [...loadZipTable().entries()].flatMap(([key]) => (key.length === 3 ? [key] : []));
  const without = prefixes.filter((prefix) => findZones(`${prefix}00`).length === 0);
  expect(without.join(' ')).toMatch(/^(?:09\d|340|96[2-6])(?: (?:09\d|340|96[2-6]))*$/);
  expect(prefixes.length - without.length).toBeGreaterThan(880);
});

test('a prefix has up to two zones, which Node knows, and none outside the table', () => {
  const table = loadZipTable();
  const all = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));
  const zones = new Map(all.map((prefix) => [prefix, findZones(`${prefix}00`)]));
  expect(all.filter((prefix) => (zones.get(prefix) ?? []).length > 2)).toEqual([]);
  const unknown = all.filter((prefix) => table.findCenter(prefix) === null);
  expect(unknown.flatMap((prefix) => zones.get(prefix) ?? [])).toEqual([]);
  const names = new Set([...zones.values()].flat());
  expect(() => [...names].map((timeZone) => new Date(0).toLocaleString('en-US', { timeZone }))).not.toThrow();
});

test.each([
  ['80202', 'America/New_York', ['America/Denver']],
  ['80202', 'America/Phoenix', ['America/Denver']],
  ['80202', 'America/Boise', []],
  ['46201', 'America/Indiana/Indianapolis', []],
  ['86004', 'America/Phoenix', []],
  ['86004', 'America/Chicago', ['America/Denver', 'America/Phoenix']],
  ['00000', 'America/Chicago', []],
])('%s with a clock of %s has these zones instead: %j', (zip, zone, zones) => {
  expect(findOtherZones(zip, zone)).toEqual(zones);
});
