import { expect, test } from 'vitest';
import { acceptedZip } from './zipRules.ts';

test.each([
  ['80202', '80202'],
  [' 80202 ', '80202'],
  ['abcde', 'abcde'],
  ['80202-1234', '80202'],
  ['8020', null],
  ['', null],
  ['     ', null],
])('the quiz makes %j of %j: exactly five characters lead on', (typed, zip) => {
  expect(acceptedZip('quiz', typed)).toBe(zip);
});

test.each([
  ['8', '8'],
  ['K1A', 'K1A'],
  ['80202-1234', '80202'],
  ['  ', null],
  ['', null],
])('the finder makes %j of %j: anything but nothing leads on', (typed, zip) => {
  expect(acceptedZip('find', typed)).toBe(zip);
});
