import { expect, test } from 'vitest';
import { searchTerms } from './searchTerms.ts';

const part = (text: string) => ({ kind: 'part', text });
const beginning = (text: string) => ({ kind: 'beginning', text });

test.each([
  ['', []],
  [' \t\n', []],
  ['Elms', [part('Elms')]],
  ['kit elmsworth', [part('kit'), part('elmsworth')]],
  ['kit kit', [part('kit')]],
  ['ki', [beginning('ki')]],
  ['(303) 555-0142', [part('303'), part('5550142')]],
  ['(303)555-0142', [part('3035550142')]],
  ['+1 303.555.0142', [beginning('1'), part('3035550142')]],
  ['80202-1234', [part('80202')]],
  ['80202', [part('80202')]],
  ['#12', [{ kind: 'number', id: 12 }]],
  ['#12x', [part('#12x')]],
  [`#${'9'.repeat(40)}`, [part(`#${'9'.repeat(40)}`)]],
  ['12', [beginning('12')]],
  ['100%', [part('100%')]],
  ['kit@example.com', [part('kit@example.com')]],
  ["o'brien", [part('obrien')]],
  ['O’Brien', [part('OBrien')]],
  ["'", []],
  ['Núñez, José', [part('Núñez'), part('José')]],
  ['Núñez,José;', [part('Núñez'), part('José')]],
  ['e\u0301e', [beginning('e\u0301e')]],
  ['a\0b', [beginning('a'), beginning('b')]],
  ['\ud800lone', [part('\ufffdlone')]],
])('%j is looked for as %j', (search, terms) => {
  expect(searchTerms(search)).toEqual(terms);
});
