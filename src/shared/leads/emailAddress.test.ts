import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliverableEmail, isEmailAddress, normalizedEmail } from './emailAddress.ts';
import { leadFieldFaults } from './leadFields.ts';

test.each([
  ['Victim@Gmail.com', 'victim@gmail.com'],
  ['victim@ｇmail.com', 'victim@gmail.com'],
  ['victim@ⓖmail.com', 'victim@gmail.com'],
  ['victim@ℊmail.ⅽom', 'victim@gmail.com'],
  ['victim@gma\u00adil.com', 'victim@gmail.com'],
  ['victim@gmail.c\u200bom', 'victim@gmail.com'],
  ['victim@gmail。com', 'victim@gmail.com'],
  ['kit@Bücher.example', 'kit@xn--bcher-kva.example'],
  ['kit@bu\u0308cher.example', 'kit@xn--bcher-kva.example'],
  ['kit@xn--bcher-kva.example', 'kit@xn--bcher-kva.example'],
  ['Kit.O’Brien@Example.com', "kit.o'brien@example.com"],
  ['ｋｉｔ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'kit@example.com'],
  ['kit@example.com.', 'kit@example.com'],
  ['Nobody', 'nobody'],
  ['A@B', 'a@b'],
])('the address %j is compared as %j', (typed, normalized) => {
  expect(normalizedEmail(typed)).toBe(normalized);
});

test.each([
  'victim@gma\u00adil.com',
  'victim@gmail.c\u200bom',
  'vic\u200dtim@gmail.com',
  'vic\u034ftim@gmail.com',
  'victim@gma\ufe0fil.com',
  'victim@%67mail.com',
  'victim@gmail.com/x.co',
  'victim@gmail.com?x.co',
  'victim@gmail.com#x.co',
  'victim@gmail.com％2fx.co',
  'victim@gm$ail.com',
])('%j is refused as an email address', (typed) => {
  expect(leadFieldFaults.email(typed)).toBe('invalid');
});

test('every accepted address has one ASCII domain, which normalizing again keeps', () => {
  const letter = fc.oneof(
    fc.constantFrom(...Array.from('abcmgil.-_%/?#ｇⓖℊ。．ß\u00ad\u200b\ufe0f')),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  );
  const domain = fc.string({ unit: letter, minLength: 1, maxLength: 12 });
  let accepted = 0;
  const property = fc.property(domain, (text) => {
    const address = `Kit@${text}.com`;
    if (!isEmailAddress(address)) return;
    accepted += 1;
    const normalized = normalizedEmail(address);
    expect(normalized).toMatch(/^kit@(?:[a-z0-9_-]+\.)+[a-z0-9_-]{2,}$/);
    expect(normalizedEmail(normalized)).toBe(normalized);
  });
  fc.assert(property, { numRuns: 500, seed: 3 });
  expect(accepted).toBeGreaterThan(50);
});

test.each([
  ['Kit.O’Brien@Example.com', "Kit.O'Brien@Example.com"],
  ['kit.o‘brien@example.com', "kit.o'brien@example.com"],
  ['kit.oʼbrien@example.com', "kit.o'brien@example.com"],
  ['kit.o`brien@example.com', "kit.o'brien@example.com"],
  ['kit.o´brien@example.com', "kit.o'brien@example.com"],
  ['kit–elmsworth@example.com', 'kit-elmsworth@example.com'],
  ['ｋｉｔ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'kit@example.com'],
  ['kit٤٢@example.com', 'kit42@example.com'],
  ['kit@example.com.', 'kit@example.com'],
  ['kit@example.com,', 'kit@example.com'],
  ['“kit@example.com”', 'kit@example.com'],
  ['kit@example.com’', 'kit@example.com'],
  ['‘kit@example.com’.', 'kit@example.com'],
  ['„kit@example.com“', 'kit@example.com'],
  ['kit@bücher.example', 'kit@bücher.example'],
  ['nobody’s', 'nobody’s'],
])('mail for %j is sent to %j', (typed, address) => {
  expect(deliverableEmail(typed)).toBe(address);
});
