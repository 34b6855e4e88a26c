import { expect, test } from 'vitest';
import type { RefusalClass } from '#shared/admin/deliveries.ts';
import {
  classifyHttp,
  classifySmtp,
  parseEnhancedCode,
  type HttpOwner,
  marksUnreachable,
  type SmtpStage,
} from './refusals.ts';

const before: readonly SmtpStage[] = ['connect', 'greeting', 'tls', 'auth', 'mail-from'];

test.each(before)('a refusal at %s is ours with any code and text', (stage) => {
  for (const [code, text] of [
    [null, ''],
    [421, '421 4.3.2 shutting down'],
    [550, '550 5.1.1 no such user'],
    [554, '554 5.7.1 blocked'],
  ] as const)
    expect([code, classifySmtp({ stage, code, text })]).toEqual([code, 'ours']);
});

test.each<[stage: SmtpStage, text: string, of: RefusalClass]>([
  ['rcpt', '450 greylisted', 'later'],
  ['rcpt', '421 closing', 'later'],
  ['rcpt', '450 5.1.1 unknown for now', 'later'],
  ['end-of-data', '452 4.2.2 mailbox full', 'later'],
  ['rcpt', '550 5.1.1 <kit@example.com>: no such user', 'recipient'],
  ['rcpt', '550 5.1.2 no such domain', 'recipient'],
  ['rcpt', '501 5.1.3 bad address syntax', 'recipient'],
  ['rcpt', '551 5.1.6 moved', 'recipient'],
  ['rcpt', '556 5.1.10 null MX', 'recipient'],
  ['rcpt', '550 5.2.1 disabled', 'recipient'],
  ['end-of-data', '554 5.6.0 malformed', 'recipient'],
  ['rcpt', '553 5.6.7 non-ASCII address', 'recipient'],
  ['rcpt', '552 5.2.2 mailbox full', 'later'],
  ['rcpt', '550 5.4.4 no route', 'later'],
  ['data', '554 5.7.1 rejected', 'later'],
  ['end-of-data', '550-5.7.1 likely unsolicited\r\n550 5.7.1 mail', 'later'],
  ['rcpt', '554 5.7.1 client host blocked', 'ours'],
  ['rcpt', '550 5.7.1 no such user here', 'ours'],
  ['end-of-data', '550 5.7.26 unauthenticated', 'ours'],
  ['end-of-data', '554 5.7.0 limit exceeded', 'ours'],
  ['rcpt', '553 5.1.8 sender domain', 'ours'],
  ['rcpt', '553 5.1.7 sender syntax', 'ours'],
  ['rcpt', '550 5.3.4 too big', 'ours'],
  ['rcpt', '550 5.4.5 daily sending limit', 'ours'],
  ['rcpt', '550 5.4.1 access denied', 'ours'],
  ['rcpt', '503 5.5.1 bad sequence', 'ours'],
  ['data', '554 5.5.1 no valid recipients', 'ours'],
  // A code that says nothing.
  ['rcpt', '550 5.0.0 user unknown', 'recipient'],
  ['rcpt', '550 5.1.0 sender rejected', 'ours'],
  ['end-of-data', '554 5.0.0 failed', 'ours'],
  // A permanent basic code with a transient enhanced one.
  ['rcpt', '550 4.2.2 mailbox full', 'later'],
  // No enhanced code.
  ['rcpt', '550 no such user', 'recipient'],
  ['rcpt', '551 user not local', 'recipient'],
  ['rcpt', '553 mailbox name not allowed', 'recipient'],
  ['rcpt', '550 <sender@relay.example>: user unknown', 'recipient'],
  ['rcpt', '550 info@blocked.example is unknown', 'recipient'],
  ['rcpt', '550 relaying denied', 'ours'],
  ['rcpt', '550 Relay access denied', 'ours'],
  ['rcpt', '553 sorry, that sender is not allowed', 'ours'],
  ['rcpt', '550 Authentication required', 'ours'],
  ['rcpt', '550 not authorized', 'ours'],
  ['rcpt', '550 rejected by local policy', 'ours'],
  ['rcpt', '550 Blocked, see https://example.com/no-such-user', 'ours'],
  ['rcpt', '550 203.0.113.7 is listed by an RBL', 'ours'],
  ['rcpt', '552 mailbox full', 'ours'],
  ['rcpt', '554 transaction failed', 'ours'],
  ['data', '550 no such user', 'ours'],
  ['end-of-data', '554 content rejected', 'ours'],
])('at %s, %j concerns: %s', (stage, text, of) => {
  expect(classifySmtp({ stage, code: Number(text.slice(0, 3)), text })).toBe(of);
});

test('a connection lost after the recipient was named is retried later', () => {
  for (const stage of ['rcpt', 'data', 'end-of-data'] as const)
    expect(classifySmtp({ stage, code: null, text: '' })).toBe('later');
});

test.each<[status: number, installation: RefusalClass, endpoint: RefusalClass]>([
  [301, 'ours', 'later'],
  [302, 'ours', 'later'],
  [400, 'recipient', 'recipient'],
  [401, 'ours', 'recipient'],
  [402, 'ours', 'recipient'],
  [403, 'ours', 'recipient'],
  [404, 'ours', 'recipient'],
  [405, 'ours', 'recipient'],
  [408, 'later', 'later'],
  [409, 'ours', 'later'],
  [410, 'ours', 'recipient'],
  [413, 'recipient', 'recipient'],
  [418, 'ours', 'recipient'],
  [422, 'recipient', 'recipient'],
  [425, 'later', 'later'],
  [429, 'later', 'later'],
  [500, 'later', 'later'],
  [501, 'later', 'later'],
  [503, 'later', 'later'],
  [599, 'later', 'later'],
])('HTTP %i of the installation’s CRM concerns: %s, of an endpoint: %s', (status, installation, endpoint) => {
  const of = (owner: HttpOwner) => classifyHttp(status, owner);
  expect([of('installation'), of('provider'), of('endpoint')]).toEqual([
    installation,
    installation,
    endpoint,
  ]);
});

test('an enhanced code is found anywhere in an answer, and an IP address is none', () => {
  expect(parseEnhancedCode('550 5.1.10 RESOLVER.ADR')).toBe('5.1.10');
  expect(parseEnhancedCode('552-5.2.2 The mailbox is full\n552 5.2.2 see below')).toBe('5.2.2');
  expect(parseEnhancedCode('550 #5.1.1 unknown')).toBe('5.1.1');
  expect(parseEnhancedCode('smtp; 550 5.1.1 unknown')).toBe('5.1.1');
  expect(parseEnhancedCode('550 client 5.1.1.9 refused')).toBeNull();
  expect(parseEnhancedCode('550 client 15.1.1 refused')).toBeNull();
  expect(parseEnhancedCode('550 no')).toBeNull();
});

test('only codes about the address mark it as unreachable', () => {
  const marked = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'];
  expect(marked.filter(marksUnreachable)).toEqual(marked);
  expect(['5.1.0', '5.1.8', '5.2.2', '5.6.0', '5.7.1', '4.1.1', null].filter(marksUnreachable)).toEqual([]);
});
