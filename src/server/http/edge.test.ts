import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { edge, type Handler } from '#test/support/edge.ts';
import { meets } from '#test/support/meets.ts';
import { AppError } from '../errors.ts';
import { type Log } from '../log.ts';

/** A log that a test can read. */
function recordedLog(): { log: Log & { level: string }; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return {
    lines,
    log: pino({ level: 'info' }, stream),
  };
}

function fail(error: unknown): Handler {
  return () => {
    throw error;
  };
}

describe('errors', () => {
  test('an AppError is problem+json with its sentence, fields and Retry-After', async () => {
    meets('D.errors.01 D.errors.02 D.errors.03 D.errors.04 D.errors.05');
    const error = new AppError('TOO_MANY_REQUESTS', 'Slow down.', {
      retryAfterSeconds: 2.2,
      fields: { email: 'Email is required' },
    });
    await using app = await edge(fail(error));
    const answer = await app.get('/');
    expect(answer.status).toBe(429);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.headers['retry-after']).toBe('3');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(JSON.parse(answer.text)).toEqual({
      type: 'about:blank',
      title: 'Too many requests',
      status: 429,
      detail: 'Slow down.',
      error: 'Slow down.',
      errors: { email: 'Email is required' },
      requestId: answer.headers['x-request-id'],
    });
  });

  test('an unknown error is logged in full and shown as a reference', async () => {
    meets('D.errors.16');
    const { log, lines } = recordedLog();
    await using app = await edge(fail(new Error('select secret from leads')), { log });
    const answer = await app.get('/path?email=someone@example.com');
    expect(answer.status).toBe(500);
    expect(answer.text).not.toMatch(/secret|select|stack|\.ts/);
    const logged = lines.find((line) => line['msg'] === 'request failed');
    expect(logged).toMatchObject({ requestId: answer.headers['x-request-id'], path: '/path' });
    expect(JSON.stringify(logged?.['err'])).toContain('select secret from leads');
    expect(JSON.stringify(lines)).not.toContain('someone@example.com');
  });

  test('a lost database is 503 with Retry-After', async () => {
    meets('D.errors.15');
    await using app = await edge(fail(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })));
    const answer = await app.get('/');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
  });

  test.each([
    [413, 413],
    [415, 415],
    [404, 404],
    [400, 400],
    [431, 400],
    [500, 500],
  ])("a library error of status %i is %i without the library's message", async (status, expected) => {
    const { log, lines } = recordedLog();
    await using app = await edge(
      fail(Object.assign(new Error('quotes the request: <b>'), { status, expose: true })),
      { log },
    );
    const answer = await app.get('/');
    expect(answer.status).toBe(expected);
    expect(answer.text).not.toContain('quotes');
    expect(lines.some((line) => line['msg'] === 'request failed')).toBe(expected === 500);
  });

  test('any thrown value gets a response', async () => {
    for (const thrown of [null, undefined, 'text', 42, { status: 200 }]) {
      await using app = await edge(fail(thrown));
      expect((await app.get('/')).status).toBe(500);
    }
  });

  test('a request without a response is a 404 problem', async () => {
    await using app = await edge(() => undefined);
    const answer = await app.get('/nothing');
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text)).toMatchObject({ error: 'Not found.' });
  });

  test('an error response has no headers of the failed response', async () => {
    await using app = await edge((ctx) => {
      ctx.set('ETag', '"page"');
      ctx.set({
        'Content-Encoding': 'br',
        'Cache-Control': 'public, max-age=60',
        'RateLimit-Policy': '5;w=60',
      });
      throw new AppError('NOT_FOUND', 'Gone.');
    });
    const { headers } = await app.get('/');
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.etag).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['ratelimit-policy']).toBe('5;w=60');
  });

  test('a response that fails halfway is cut off', async () => {
    await using app = await edge((ctx) => {
      ctx.respond = false;
      ctx.res.write('half');
      throw new Error('broken');
    });
    await expect(app.get('/')).rejects.toThrow(/aborted|hang up/);
  });
});

describe('request ids', () => {
  const given = 'client-chosen-id_1.2';

  test('a request id is accepted only from a trusted proxy and only as a plain token', async () => {
    await using open = await edge((ctx) => (ctx.body = 'ok'));
    expect((await open.get('/', { 'x-request-id': given })).headers['x-request-id']).toMatch(
      /^[0-9a-f-]{36}$/,
    );
    await using behind = await edge((ctx) => (ctx.body = 'ok'), { trustedProxies: 1 });
    expect((await behind.get('/', { 'x-request-id': given })).headers['x-request-id']).toBe(given);
    for (const bad of [
      'short',
      'a'.repeat(65),
      'spaces are bad',
      '<script>alert(1)</script>',
      'a,b,c,d,e,f',
    ]) {
      expect((await behind.get('/', { 'x-request-id': bad })).headers['x-request-id']).toMatch(
        /^[0-9a-f-]{36}$/,
      );
    }
  });
});

describe('the request log', () => {
  test('a line has method, path, status, time, site and id; no query, address or agent', async () => {
    meets('D.privacy.16');
    const { log, lines } = recordedLog();
    await using app = await edge((ctx) => (ctx.status = 404), { log });
    const answer = await app.get('/success?providerId=7&email=a@example.com', { 'user-agent': 'Secret/1.0' });
    await expect.poll(() => lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      method: 'GET',
      path: '/success',
      status: 404,
      ms: expect.any(Number),
      site: 'main',
      requestId: answer.headers['x-request-id'],
    });
    expect(JSON.stringify(lines)).not.toMatch(/providerId|example\.com|Secret|127\.0\.0\.1|203\.0\.113/);
  });

  test('the trace of a valid traceparent is in the line, and an invalid one is ignored', async () => {
    const { log, lines } = recordedLog();
    await using app = await edge(fail(new AppError('NOT_FOUND', 'No.')), { log });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await app.get('/traced', { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    await app.get('/untraced', { traceparent: `00-${traceId}-00f067aa0ba902b7` });
    await expect.poll(() => lines).toHaveLength(2);
    expect(lines.map(({ path, traceId: id }) => [path, id])).toEqual([
      ['/traced', traceId],
      ['/untraced', undefined],
    ]);
  });

  test('a page view is logged at debug level only', async () => {
    const { log, lines } = recordedLog();
    await using app = await edge((ctx) => (ctx.body = 'ok'), { log });
    await app.get('/read');
    log.level = 'debug';
    await app.get('/read-too');
    await expect.poll(() => lines).toMatchObject([{ path: '/read-too', status: 200 }]);
  });
});

describe('security headers', () => {
  test('every response has them, errors too', async () => {
    await using app = await edge((ctx) => {
      if (ctx.path === '/error') throw new AppError('FORBIDDEN', 'No.');
      ctx.body = 'ok';
    });
    for (const path of ['/', '/error']) {
      const { headers } = await app.get(path);
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-resource-policy': 'same-origin',
        'x-frame-options': 'SAMEORIGIN',
      });
      expect(headers['permissions-policy']).toMatch(/^geolocation=\(self\), .*camera=\(\)/);
      expect(headers['strict-transport-security']).toBeUndefined();
    }
  });

  test('HSTS is sent only over https', async () => {
    meets('D.hosts.06');
    await using behind = await edge((ctx) => (ctx.body = 'ok'), { trustedProxies: 1 });
    const secure = await behind.get('/', { 'x-forwarded-proto': 'https' });
    expect(secure.headers).toMatchObject({
      'strict-transport-security': 'max-age=63072000',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(
      (await behind.get('/', { 'x-forwarded-proto': 'http' })).headers['strict-transport-security'],
    ).toBeUndefined();
    await using open = await edge((ctx) => (ctx.body = 'ok'));
    expect(
      (await open.get('/', { 'x-forwarded-proto': 'https' })).headers['strict-transport-security'],
    ).toBeUndefined();
  });
});
