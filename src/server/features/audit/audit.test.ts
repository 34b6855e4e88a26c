import { expect, test } from 'vitest';
import { maskEmail } from './audit.ts';

test.each([
  ['mallory@attacker.example', 'm…y@a…r.example'],
  ['front.desk@mail.clinic.co.uk', 'f…k@m…o.uk'],
  ['ana@ab.example', 'a…@a….example'],
  ['a@b.example', '…@….example'],
  ['“a@b”@clinic.example', '“…”@c…c.example'],
  ['not an address', 'n…s'],
  ['', '…'],
])('%s is written as %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked);
});

test('no masked address has a part of the address of more than one character', () => {
  for (const email of ['mallory@attacker.example', 'al@b.example', 'x@y.example']) {
    const parts = maskEmail(email).replace('.example', '').split(/[…@]/);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(1);
  }
});
