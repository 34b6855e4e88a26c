import { expect, test } from 'vitest';
import { readSigned, signText } from './signedText.ts';

const keys = ['first-key-first-key-first-key-0001', 'older-key-older-key-older-key-0002'];

test('a signed text verifies with any of the keys, also after a rotation', () => {
  const piece = signText(keys, 'withdraw', '42');
  expect(piece).toMatch(/^42\.[\w-]{43}$/);
  expect(readSigned(keys, 'withdraw', piece)).toBe('42');
  expect(readSigned(['newer-key-newer-key-newer-key-0003', ...keys], 'withdraw', piece)).toBe('42');
});

test('another purpose, text, key or length does not verify', () => {
  const piece = signText(keys, 'withdraw', '42');
  const [, mac = ''] = piece.split('.');
  const wrong = [
    ['outcome', piece],
    ['withdraw', `43.${mac}`],
    ['withdraw', signText(['other-key-other-key-other-key-0004'], 'withdraw', '42')],
    ['withdraw', piece.slice(0, -1)],
    ['withdraw', `${piece}A`],
    ['withdraw', ` ${piece}`],
    ['withdraw', `42.${'A'.repeat(43)}`],
    ['withdraw', '42.'],
    ['withdraw', ''],
  ] as const;
  for (const [use, given] of wrong)
    expect([use, given, readSigned(keys, use, given)]).toEqual([use, given, null]);
  expect(readSigned([], 'withdraw', piece)).toBeNull();
});
