import { expect, test } from 'vitest';
import { firstEmailNorm, firstMailbox, firstPhoneE164, plainNumber, readPhones } from './normalForms.ts';
import * as fc from 'fast-check';
import { leadFieldFaults } from '#shared/leads/leadFields.ts';
import { findPhones } from '#shared/leads/phone.ts';
import { phoneSpellings } from '#test/support/phoneSpellings.ts';

// What version 1.0.0 itself made of these texts.
test.each([
  ['303-555-0778 after 10am', '+303555077810'],
  ['303-555-0777 ext. 44', '+13035550777'],
  ['1 (303) 555-0142 1', '+130355501421'],
  ['001 303 555 0142', '+0013035550142'],
  ['011 1 303 555 0142', '+13035550142'],
  ['011 44 20 7946 0958', '+442079460958'],
  ['0044 20 7946 0958', '+00442079460958'],
  ['+44 (0)20 7946 0958', '+442079460958'],
  ['442079460958', '+442079460958'],
  ['+303-555-0142', '+3035550142'],
  ['+11 303 555 0142', '+13035550142'],
  ['020 7946 0958', '+02079460958'],
  ['call 303-555-0142 9-5', '+303555014295'],
  ['0000000000', '+10000000000'],
  ['+49 30 1234567 9-5', '+4930123456795'],
  ['303‑555‑0142', '+13035550142'],
  ['home 303-555-0142, cell 720-555-0199', null],
  ['٣٠٣٥٥٥٠١٤٢', null],
  ['12', null],
  [`30355501${' . '.repeat(200)}01 x 7`, '+13035550101'],
])('the number of 1.0.0 in %j is %j', (typed, e164) => {
  expect(firstPhoneE164(typed)).toBe(e164);
});

test.each([
  ['Kit.O’Brien@Example.com', 'kit.o’brien@example.com', 'kit.o’brien@example.com'],
  ['kit+tag@Bücher.example', 'kit+tag@xn--bcher-kva.example', 'kit@xn--bcher-kva.example'],
  ['kit.o`brien@example.com', 'kit.o`brien@example.com', 'kit.o`brien@example.com'],
  ['VIC@ｇmail.com', 'vic@gmail.com', 'vic@gmail.com'],
  ['Nobody', 'nobody', 'nobody'],
  ['example.com', 'example.co@example.com', 'example.co@example.com'],
])('the address and the mailbox of 1.0.0 in %j are %j and %j', (typed, address, mailbox) => {
  expect([firstEmailNorm(typed), firstMailbox(typed)]).toEqual([address, mailbox]);
});

const numbersIn = (typed: string): string[] =>
  readPhones(typed).map(({ e164, extension }) => `${e164}${extension === null ? '' : ` ${extension}`}`);

test.each([
  ['+303-555-0142', ['+13035550142']],
  ['9-5 303-555-0142', ['+13035550142']],
  ['before 9 617 555 0123', ['+16175550123']],
  ['303-555-0142 1', ['+13035550142']],
  ['+49 30 1234567 9-5', ['+49301234567']],
  ['+33 1 23 45 67 89 9-5', ['+33123456789']],
  ['44 207 946 0958', ['+442079460958']],
  ['380 44 123 45 67', ['+380441234567']],
  ['303 555 0142 720 555 0199', ['+13035550142', '+17205550199']],
  ['3035550142,7205550199', ['+13035550142', '+17205550199']],
  ['303-555-0142 x44, home 720-555-0199 ext 5', ['+13035550142 44', '+17205550199 5']],
  ['303-555-0142 x 720-555-0199', ['+13035550142', '+17205550199']],
  ['303-555-0142,,44', ['+13035550142 44']],
  ['303-555-0142 or 555-0143', ['+13035550142']],
  ['30 35 55 01 42', ['+13035550142']],
  ['3 0 3 5 5 5 0 1 4 2', ['+13035550142']],
  ['303 (after the tone) 555 0142', ['+13035550142']],
  ['３０３ー５５５ー０１４２', ['+13035550142']],
  ['4111 1111 1111 1111', []],
  ['555-0142', []],
  ['', []],
])('the numbers in %j are %j', (typed, numbers) => {
  expect(numbersIn(typed)).toEqual(numbers);
});

test.each(['020 7946 0958', '06 12 34 56 78', '303555014212'])(
  '%s, which nobody can dial, keeps its digits, and isn’t sure',
  (typed) => {
    const [phone] = readPhones(typed);
    expect(phone).toMatchObject({ e164: firstPhoneE164(typed), isSure: false });
  },
);

test('browser and server find the first number of a text, which a reader would dial', () => {
  expect(phoneSpellings).toHaveLength(200);
  expect(new Set(phoneSpellings.map(({ dialed }) => dialed.split(';')[0])).size).toBe(10);
  for (const { typed, dialed } of phoneSpellings) {
    const [first] = readPhones(typed);
    const [own] = findPhones(typed);
    expect({ typed, end: own?.end }).toEqual({ typed, end: first?.end });
    const extension = first?.extension == null ? '' : `;ext=${first.extension}`;
    expect({ typed, dialed: `${first?.e164}${extension}` }).toEqual({ typed, dialed });
  }
});

const piece = fc.oneof(
  fc.constantFrom(
    '+',
    ' ',
    '-',
    '(',
    ')',
    '.',
    '/',
    ',',
    ' x',
    ' ext ',
    ' call ',
    '00',
    '011',
    '1',
    '٣',
    '–',
  ),
  fc.integer({ min: 0, max: 99_999 }).map(String),
);
const anyText = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

test('the browser accepts a phone exactly if the server reads a number in it', () => {
  let accepted = 0;
  const property = fc.property(anyText, (typed) => {
    const text = typed.trim();
    const isRead = readPhones(text).length > 0;
    accepted += isRead ? 1 : 0;
    expect({ text, isValid: leadFieldFaults.phone(text) === null }).toEqual({ text, isValid: isRead });
  });
  fc.assert(property, { numRuns: 3_000, seed: 4 });
  expect(accepted).toBeGreaterThan(200);
});

test('every text that was a phone for 1.0.0 is one, and every number can be stored', () => {
  let taken = 0;
  const property = fc.property(anyText, (typed) => {
    const numbers = readPhones(typed);
    for (const { e164 } of numbers) expect(e164).toMatch(/^\+\d{10,15}$/);
    // It didn't count digits of other scripts.
    if (typed.includes('٣') || firstPhoneE164(typed) === null) return;
    taken += 1;
    expect({ typed, count: Math.min(numbers.length, 1) }).toEqual({ typed, count: 1 });
  });
  fc.assert(property, { numRuns: 3_000, seed: 5 });
  expect(taken).toBeGreaterThan(200);
});

test('a text of many short groups of digits takes no longer than other texts', () => {
  const text = '1 '.repeat(150);
  const startedAt = process.cpuUsage();
  for (let round = 0; round < 200; round += 1) expect(readPhones(text)).toEqual([]);
  const { user } = process.cpuUsage(startedAt);
  expect(user / 1000).toBeLessThan(2_500);
});

test('a plain number has the same form as in 1.0.0', () => {
  const part = (length: number) =>
    fc.integer({ min: 0, max: 10 ** length - 1 }).map((n) => String(n).padStart(length, '0'));
  const separator = fc.constantFrom('', ' ', '-', '.');
  const number = fc
    .tuple(
      fc.constantFrom('', '1', '+1', '1-', '+1 '),
      fc.integer({ min: 200, max: 999 }),
      separator,
      part(3),
      separator,
      part(4),
    )
    .map((parts) => parts.join(''));
  const property = fc.property(number, (typed) => {
    const plain = plainNumber(typed);
    expect(plain).not.toBeNull();
    expect(firstPhoneE164(typed)).toBe(plain);
    expect(findPhones(typed)[0]?.e164).toBe(plain);
  });
  fc.assert(property, { numRuns: 1_000, seed: 6 });
});
