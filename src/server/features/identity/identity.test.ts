import { expect, test } from 'vitest';
import { identityOf, mailboxOf, personLocks } from './identity.ts';

test.each([
  [{ email: 'Ada.L@Example.COM', phone: '(303) 555-0101' }, 'ada.l@example.com', '+13035550101'],
  [
    { email: 'ada@xn--bcher-kva.example', phone: '1 303 555 0101' },
    'ada@xn--bcher-kva.example',
    '+13035550101',
  ],
  [{ email: 'ada@Bücher.example', phone: '+49 30 1234567' }, 'ada@xn--bcher-kva.example', '+49301234567'],
  [{ email: 'ada@example.com', phone: '12' }, 'ada@example.com', null],
  [{ email: 'ada@example.com' }, 'ada@example.com', null],
])('identityOf normalizes %j', (typed, emailNorm, phoneE164) => {
  expect(identityOf(typed)).toEqual({ emailNorm, phoneE164 });
});

test.each([
  [' Ada+news@Example.com ', 'ada@example.com'],
  ['ada@example.com', 'ada@example.com'],
  ['+ada@example.com', '+ada@example.com'],
  ['ada@exa+mple', 'ada@exa+mple'],
])('the mailbox of %j is %j', (typed, mailbox) => {
  expect(mailboxOf(typed)).toBe(mailbox);
});

test('the locks of a person ascend and are the same in every version', () => {
  expect(personLocks({ emailNorm: 'kit@example.com', phoneE164: '+13035550101' })).toEqual([
    '-8504173568884778783',
    '-85053025054882669',
  ]);
});
