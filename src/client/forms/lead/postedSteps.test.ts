import { expect, test } from 'vitest';
import { shownState } from './postedSteps.ts';

const faults = { errors: { email: 'Email is required' }, message: 'Email is required' };

test('a ZIP posted alone leads to the second step without a word about its fields', () => {
  const values = { first_name: '', last_name: '', email: ' ', phone: '', zip_code: '80202' };
  expect(shownState({ values, ...faults })).toEqual({ values, errors: {}, message: '' });
});

test.each([
  ['nothing at all', { zip_code: '' }],
  ['more than the ZIP', { zip_code: '80202', first_name: 'Ada' }],
])('a post of %s is told what is missing', (_what, values) => {
  expect(shownState({ values, ...faults })).toEqual({ values, ...faults });
});

test('a page that was not posted has nothing to show', () => {
  expect(shownState(null)).toBeNull();
});
