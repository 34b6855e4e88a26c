import { expect, test } from 'vitest';
import { hasProviderId, parseProviderId } from './providerIdParam.ts';

test.each([
  '1',
  '1.',
  '1 ',
  ' 1',
  '1)',
  '(1)',
  '01',
  '0001',
  '1,',
  '"1"',
  '“1”',
  '<1>',
  '1;',
  '1/',
  '1%',
  '1\u200b',
  '\u00a01',
  '1!?',
  '=1',
  '１',
])('reads %j as the provider 1', (text) => {
  expect(parseProviderId(text)).toBe(1);
  expect(hasProviderId(text)).toBe(true);
});

test.each(['', ' ', '\t', '""', "''", '“”', '\u200b'])('reads %j as no request', (text) => {
  expect(hasProviderId(text)).toBe(false);
  expect(parseProviderId(text)).toBeNull();
});

test.each([
  'a',
  '1a',
  'a1',
  '{providerId}',
  '-1',
  '1.5',
  '1 2',
  '1,2',
  '0',
  '000',
  '.',
  '--',
  '0x1',
  '1e3',
  '1%20',
  '9'.repeat(16),
  `1${' '.repeat(200)}`,
])('reads %j as an unknown provider', (text) => {
  expect(parseProviderId(text)).toBeNull();
  expect(hasProviderId(text)).toBe(true);
});
