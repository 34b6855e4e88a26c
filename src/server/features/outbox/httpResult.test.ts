import { expect, test } from 'vitest';
import { judgeAnswer } from './judgeResponse.ts';

const now = new Date('2026-06-10T12:00:00Z');

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [301, 'tried again'],
  [302, 'tried again'],
  [400, 'failed'],
  [401, 'failed'],
  [404, 'failed'],
  [408, 'tried again'],
  [409, 'tried again'],
  [410, 'failed, endpoint off'],
  [425, 'tried again'],
  [429, 'tried again'],
  [500, 'tried again'],
  [502, 'tried again'],
])('%d: %s', (status, verdict) => {
  const { delivered, permanent, gone, reason } = judgeAnswer(status, {}, now);
  const said = delivered ? 'delivered' : permanent ? 'failed' : 'tried again';
  expect(gone ? `${said}, endpoint off` : said).toBe(verdict);
  expect(reason === null).toBe(delivered);
});

test.each([
  ['120', 120],
  ['Wed, 10 Jun 2026 12:05:00 GMT', 300],
  ['Wed, 10 Jun 2026 11:00:00 GMT', null],
  ['99999999999', 86_400],
  ['soon', null],
  ['-5', null],
  [undefined, null],
])('Retry-After: %s is %s seconds', (header, seconds) => {
  const headers = header === undefined ? {} : { 'retry-after': header };
  expect(judgeAnswer(503, headers, now).retryAfterSeconds).toBe(seconds);
});
