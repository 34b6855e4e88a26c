import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { readHead, toResult } from './httpResult.ts';

const receiver = { who: 'The CRM', owner: 'installation' } as const;
const now = new Date('2026-06-10T12:00:00Z');

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [301, 'ours'],
  [302, 'ours'],
  [400, 'recipient'],
  [401, 'ours'],
  [404, 'ours'],
  [408, 'later'],
  [409, 'ours'],
  [410, 'ours, gone'],
  [425, 'later'],
  [429, 'later'],
  [500, 'later'],
  [502, 'later'],
])('status %d: %s', (status, expected) => {
  meets('D.deliveries.14 D.deliveries.15');
  const result = toResult(receiver, { status, text: '', retryAfterSeconds: null });
  const said = result.outcome === 'delivered' ? 'delivered' : result.refusal;
  const isGone = result.outcome === 'failed' && result.isGone === true;
  expect(isGone ? `${said}, gone` : said).toBe(expected);
  expect(result.status).toBe(`HTTP ${status}`);
});

test.each([
  ['120', 120],
  [' 120 ', 120],
  ['Wed, 10 Jun 2026 12:05:00 GMT', 300],
  ['Wed, 10 Jun 2026 11:00:00 GMT', null],
  ['99999999999', 86_400],
  ['soon', null],
  ['-5', null],
  [undefined, null],
])('Retry-After %s is %s seconds', (header, seconds) => {
  meets('D.deliveries.13');
  const response = new IncomingMessage(new Socket());
  response.statusCode = 503;
  if (header !== undefined) response.headers['retry-after'] = header;
  expect(readHead(response, now).retryAfterSeconds).toBe(seconds);
});
