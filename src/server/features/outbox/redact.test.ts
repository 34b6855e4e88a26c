import { expect, test } from 'vitest';
import { redact } from './redact.ts';

const lead = {
  firstName: 'José',
  lastName: "O'Neil",
  email: 'Jose.ONeil+x@example.com',
  phone: '(303) 555-0142',
};

test.each([
  ['{"id":"contact-17"}', '{"id":"contact-17"}'],
  ['{"email":"jose.oneil+x@example.com"}', '{"email":"[…]"}'],
  ['cc other@sub.example.org, thanks', 'cc […], thanks'],
  ['email=jose%40example.com&id=7', 'email=[…]&id=7'],
  ['called (303) 555-0142', 'called […]'],
  ['called +1 303.555.0142 or 3035550142', 'called […] or […]'],
  ["Hello José, Mr O'Neil, JOSÉ", 'Hello […], Mr […], […]'],
  [String.raw`{"name":"Jos\u00e9 O'Neil"}`, '{"name":"[…]"}'],
  ["Mr O'NEIL, jo\u017fé", 'Mr […], […]'],
  ['Joséphine stays, as do 2026-06-10 and 80202-1234', 'Joséphine stays, as do 2026-06-10 and 80202-1234'],
  ['a\0b\u0007c\ud800', 'a b c'],
  ['', ''],
])('%j is kept as %j', (answer, kept) => {
  expect(redact(answer, lead)).toBe(kept);
});

test('a kilobyte is kept at most, and nothing of an address that the cut runs through', () => {
  expect(redact('x'.repeat(100_000), lead).length).toBeLessThanOrEqual(1024);
  for (let before = 1000; before < 1040; before++)
    expect(redact(`${'.'.repeat(before)} someone@example.com`, lead)).not.toMatch(/some|exam/);
  for (let before = 4060; before < 4100; before++)
    expect(redact(`${' '.repeat(before)}someone@example.com`, lead)).not.toMatch(/some|exam/);
});

test('a hostile answer is looked through to its end', () => {
  // A pattern that went back and forth would never come to it.
  for (const part of ['1 ', '(', '@', 'a@', '%40', '\\u00', '1((((('])
    expect(redact(part.repeat(200_000 / part.length), lead).length).toBeLessThanOrEqual(1024);
});

test('hostile text costs no more than linear time, with any repetition', () => {
  const parts = ['a', 'a%', 'a.', '1(', '1', '+', '%40', 'a ', '\\u'];
  const startedAtMs = performance.now();
  for (const part of parts) {
    const text = part.repeat(Math.ceil(4093 / part.length)).slice(0, 4093);
    for (let round = 0; round < 50; round++) redact(text, lead);
    // Longer than what is read, so that the cut looks for the start of the last word.
    for (let round = 0; round < 50; round++) redact(`${text} b${'c'.repeat(100)}`, lead);
  }
  expect(performance.now() - startedAtMs).toBeLessThan(2_000);
});
