import { describe, expect, test } from 'vitest';
import { edge } from '#test/support/edge.ts';
import type { Caller } from '../caller.ts';
import { buildCaller } from './caller.ts';

describe('the caller', () => {
  async function callerFor(headers: Record<string, string>): Promise<Partial<Caller>> {
    await using app = await edge((ctx) => {
      const { responseHeaders: _unsendable, ...caller } = buildCaller(ctx, 'rest');
      ctx.body = caller;
    });
    return JSON.parse((await app.get('/', headers)).text) as Partial<Caller>;
  }

  test('is empty for a request without headers', async () => {
    expect(await callerFor({})).toMatchObject({
      ip: '203.0.113.9',
      userAgent: null,
      pageUrl: null,
      referrerHost: null,
      globalPrivacyControl: false,
      idempotencyKey: null,
      transport: 'rest',
    });
  });

  test('contains only origin and path of the Referer', async () => {
    const caller = await callerFor({
      referer: 'https://user:pass@clinic.example:8443/a/b?email=a@example.com#frag',
    });
    expect(caller).toMatchObject({
      pageUrl: 'https://clinic.example:8443/a/b',
      referrerHost: 'clinic.example',
    });
    for (const referer of ['not a url', 'javascript:alert(1)', 'about:blank', 'file:///etc/passwd', '']) {
      expect(await callerFor({ referer })).toMatchObject({ pageUrl: null, referrerHost: null });
    }
  });

  test('truncates the user agent, reads GPC and trims the idempotency key', async () => {
    const caller = await callerFor({
      'user-agent': 'x'.repeat(900),
      'sec-gpc': '1',
      'idempotency-key': '  key-1  ',
    });
    expect(caller).toMatchObject({
      userAgent: 'x'.repeat(500),
      globalPrivacyControl: true,
      idempotencyKey: 'key-1',
    });
    expect(await callerFor({ 'sec-gpc': '0', 'idempotency-key': '   ' })).toMatchObject({
      globalPrivacyControl: false,
      idempotencyKey: null,
    });
  });

  test('accepts an idempotency key of 255 characters and rejects a longer one', async () => {
    expect(await callerFor({ 'idempotency-key': 'k'.repeat(255) })).toMatchObject({
      idempotencyKey: 'k'.repeat(255),
    });
    expect(await callerFor({ 'idempotency-key': 'k'.repeat(256) })).toMatchObject({
      status: 400,
      title: 'Bad request',
    });
  });
});
