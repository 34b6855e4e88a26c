import { expect, test } from 'vitest';
import { toSlug } from './directory.ts';

test.each([
  ['Denver', 'denver'],
  ['San José', 'san-jose'],
  ['San Jose\u0301', 'san-jose'],
  ['St. Louis', 'saint-louis'],
  ['ST LOUIS', 'saint-louis'],
  ['Saint Louis', 'saint-louis'],
  ['Sault Ste. Marie', 'sault-sainte-marie'],
  ['Ft. Mt. Town', 'fort-mount-town'],
  ['East Stone-Ste', 'east-stone-ste'],
  ['Coeur d\u2019Alene', 'coeur-dalene'],
  ["Coeur d'Alene", 'coeur-dalene'],
  ['Winston-Salem', 'winston-salem'],
  [' DOYLESTOWN  TOWNSHIP ', 'doylestown-township'],
  ['Hagåtña', 'hagatna'],
  ['東京', ''],
])('the name %s is %j in a path, which names itself', (name, slug) => {
  expect([toSlug(name), toSlug(toSlug(name))]).toEqual([slug, slug]);
});
