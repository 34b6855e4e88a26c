import { expect, test } from 'vitest';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import { signText } from '#server/security/signedText.ts';
import { meets } from '#test/support/meets.ts';
import { linkEnd, readOutcome, readStopAddress, signOutcome, stopAddress } from './linkTokens.ts';

const keys = ['outcome-key-outcome-key-outcome-01'];
const publicId = '0b6f7a52-3c1d-4e8f-9a0b-1c2d3e4f5a6b';
const endsAt = linkEnd(new Date('2026-06-01T12:00:00.400Z'));

test('a link lasts ninety days', () => {
  expect(endsAt.toISOString()).toBe('2026-08-30T12:00:00.000Z');
});

test.each(leadOutcomes)('a link with the outcome %s is read with its lead, provider and end', (outcome) => {
  meets('D.abuse.22');
  const link = { publicId, providerId: 7, outcome, endsAt };
  const piece = signOutcome(keys, link);
  expect(encodeURIComponent(piece)).toBe(piece);
  expect(readOutcome(keys, piece)).toEqual(link);
});

test('a link with another purpose, a wrong signature or unknown values is rejected', () => {
  meets('D.abuse.22');
  const piece = signOutcome(keys, { publicId, providerId: 7, outcome: 'booked', endsAt });
  const text = piece.slice(0, piece.indexOf('.'));
  for (const wrong of [
    piece.replace('6b_7', '6c_7'),
    piece.replace('6b_7', '6b_8'),
    piece.replace('booked', 'reached'),
    piece.replace(/_\d+\./, '_99999999999.'),
    signText(keys, 'withdraw', text),
    signText(keys, 'outcome', `${publicId}_7_sold_1788000000`),
    signText(keys, 'outcome', `${publicId}_7_booked`),
    signText(keys, 'outcome', `${publicId}_booked_1788000000`),
    // The lead's id instead of its UUID.
    signText(keys, 'outcome', '12_7_booked_1788000000'),
    '',
  ])
    expect([wrong, readOutcome(keys, wrong)]).toEqual([wrong, null]);
});

test('an address for STOP names its lead; a changed one, or one by another key, none', () => {
  const address = stopAddress(keys, 'stop@reply.example', { publicId });
  expect(address).toMatch(/^stop\+0b6f7a523c1d4e8f9a0b1c2d3e4f5a6b[\da-f]{24}@reply\.example$/);
  expect(readStopAddress(keys, address)).toBe(publicId);
  expect(readStopAddress(keys, address.toUpperCase())).toBe(publicId);
  expect(readStopAddress(['another-key-another-key-another-01', ...keys], address)).toBe(publicId);
  expect(readStopAddress(['another-key-another-key-another-01'], address)).toBeNull();
  const last = address.indexOf('@') - 1;
  const digit = address[last] === '0' ? '1' : '0';
  for (const wrong of [
    address.replace('+0b', '+0c'),
    address.slice(0, last) + digit + address.slice(last + 1),
    address.replace('@', '0@'),
    'stop@reply.example',
    `stop+${'0'.repeat(56)}@reply.example`,
  ])
    expect([wrong, readStopAddress(keys, wrong)]).toEqual([wrong, null]);
});
