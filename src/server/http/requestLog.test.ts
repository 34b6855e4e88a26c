import { createServer } from 'node:http';
import { Writable } from 'node:stream';
import Koa from 'koa';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { forwardedWarning, loggedPath } from './requestLog.ts';

test.each([
  ['/map', '/map'],
  ['/withdraw', '/withdraw'],
  ['/withdraw/12.abc', '/withdraw/…'],
  ['/sign-in/12.abc', '/sign-in/…'],
  ['/confirm-address/7_abc.def', '/confirm-address/…'],
  ['/withdraw/12.abc/more\n/than', '/withdraw/…'],
  ['/outcome/12_7_booked.abc', '/outcome/…'],
  [`/${'x'.repeat(300)}`, `/${'x'.repeat(199)}`],
])('%j is logged as %j, without its key', (path, logged) => {
  expect(loggedPath(path)).toBe(logged);
});

/** The log lines of requests with these headers, sent one after another. */
async function linesAfter(
  trustedProxies: number,
  requests: readonly Record<string, string>[],
): Promise<string[]> {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const app = new Koa();
  app.use(forwardedWarning({ config: { trustedProxies }, log: pino({ level: 'warn' }, stream) }));
  app.use((ctx) => (ctx.body = 'page'));
  const server = createServer((req, res) => void app.callback()(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  for (const headers of requests)
    expect(await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text()).toBe('page');
  await new Promise((resolve) => server.close(resolve));
  return lines;
}

test.each([
  ['X-Forwarded-For', { 'x-forwarded-for': '203.0.113.9' }],
  ['Forwarded', { forwarded: 'for=203.0.113.9' }],
])('only the first request with %s is logged, without its address', async (_, headers) => {
  const lines = await linesAfter(0, [{}, headers, headers, headers]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('TRUSTED_PROXIES');
  expect(lines[0]).not.toContain('203.0.113');
});

test('no warning without such a header or with trusted proxies', async () => {
  expect(await linesAfter(0, [{}, { 'x-forwarded-proto': 'https' }])).toEqual([]);
  expect(await linesAfter(1, [{ 'x-forwarded-for': '203.0.113.9' }])).toEqual([]);
});
