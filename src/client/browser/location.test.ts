import { expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { addressWithoutOutcome } from './location.ts';

test.each([
  ['http://brand.example/?success=true', 'http://brand.example/'],
  ['http://brand.example/?error=x#faq', 'http://brand.example/#faq'],
  [
    'http://brand.example/?a=1&success=true&b=%20two+three&error=',
    'http://brand.example/?a=1&b=%20two+three',
  ],
  ['http://brand.example/?%73uccess=1&successful=1', 'http://brand.example/?successful=1'],
  ['http://brand.example/?success&success=2&error', 'http://brand.example/'],
])('success and error leave the address, everything else stays: %s', (address, expected) => {
  meets('P2.landing.09');
  expect(addressWithoutOutcome(address)).toBe(expected);
});

test.each([
  'http://brand.example/',
  'http://brand.example/?providerId=7#faq',
  'http://brand.example/#success=1',
  'http://brand.example/?',
])('an address without them is returned as it is: %s', (address) => {
  expect(addressWithoutOutcome(address)).toBe(address);
});
