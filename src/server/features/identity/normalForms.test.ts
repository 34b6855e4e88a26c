import { expect, test } from 'vitest';
import { firstEmailNorm, firstMailbox, firstPhoneE164 } from './normalForms.ts';

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
