import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { readHead, resultOf } from './httpResult.ts';

const now = new Date('2026-06-10T12:00:00Z');

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [301, 'retried'],
  [302, 'retried'],
  [400, 'failed'],
  [401, 'failed'],
  [404, 'failed'],
  [408, 'retried'],
  [409, 'retried'],
  [410, 'failed, gone'],
  [425, 'retried'],
  [429, 'retried'],
  [500, 'retried'],
  [502, 'retried'],
])('status %d: %s', (status, expected) => {
  const result = resultOf('The CRM', { status, text: '', retryAfterSeconds: null });
  const said = result.outcome === 'delivered' ? 'delivered' : result.permanent ? 'failed' : 'retried';
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
  const response = new IncomingMessage(new Socket());
  response.statusCode = 503;
  if (header !== undefined) response.headers['retry-after'] = header;
  expect(readHead(response, now).retryAfterSeconds).toBe(seconds);
});
