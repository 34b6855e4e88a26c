import { expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { acceptedZip, shownState } from './useSteps.ts';

test.each([
  ['80202', '80202'],
  [' 80202 ', '80202'],
  ['abcde', 'abcde'],
  ['80202-1234', '80202'],
  ['8020', null],
  ['abcdef', null],
  ['802021', null],
  ['', null],
  ['     ', null],
])('the quiz reads %j as %j: it accepts exactly five characters', (typed, zip) => {
  meets('P4.state.08 P9.const.01');
  expect(acceptedZip('quiz', typed)).toBe(zip);
});

test.each([
  ['8', '8'],
  ['K1A', 'K1A'],
  ['80202-1234', '80202'],
  ['  ', null],
  ['', null],
])('the finder reads %j as %j: it accepts everything but an empty ZIP', (typed, zip) => {
  meets('P4.state.09 P5.valid.17');
  expect(acceptedZip('find', typed)).toBe(zip);
});

const failure = { errors: { email: 'Email is required' }, message: 'Email is required' };

test('a post with only the ZIP shows the second step without messages about its fields', () => {
  const values = { first_name: '', last_name: '', email: ' ', phone: '', zip_code: '80202' };
  expect(shownState({ values, ...failure })).toEqual({ values, errors: {}, message: '' });
});

test.each([
  ['nothing', { zip_code: '' }],
  ['more than the ZIP', { zip_code: '80202', first_name: 'Ada' }],
])('a post of %s shows what is missing', (_what, values) => {
  expect(shownState({ values, ...failure })).toEqual({ values, ...failure });
});

test('a page that was not posted shows no state', () => {
  expect(shownState(null)).toBeNull();
});
