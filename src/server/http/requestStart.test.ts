import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import Koa from 'koa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import type { AppState } from '../tenant/tenant.ts';
import { requestId, requestTarget } from './requestStart.ts';
import { requestLog } from './requestLog.ts';

let server: Server;

beforeAll(async () => {
  const app = new Koa<AppState>();
  app.silent = true;
  app.use(requestId({ config: { trustedProxies: 0 } }));
  app.use(requestTarget());
  app.use(requestLog({ log: createLog('info') }));
  app.use((ctx) => {
    ctx.body = JSON.stringify({ path: ctx.path, query: ctx.querystring, host: ctx.req.headers.host });
  });
  const handle = app.callback();
  server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  server.close();
  await once(server, 'close');
});

/** No HTTP client sends such a request line, so it is written to a socket. */
async function ask(target: string): Promise<string> {
  const address = server.address();
  const socket = connect(address === null || typeof address === 'string' ? 0 : address.port, '127.0.0.1');
  socket
    .setEncoding('latin1')
    .write(`GET ${target} HTTP/1.1\r\nHost: given.example\r\nConnection: close\r\n\r\n`, 'latin1');
  let answer = '';
  for await (const part of socket) answer += String(part);
  return answer;
}

test.each([
  'http://',
  '*',
  'http:',
  'a:b',
  'http://host:99999/',
  'http://[1/',
  'ftp://host.example/',
  'mailto:a@b',
])('the request target %s is a 400 and the process continues', async (target) => {
  expect(await ask(target)).toMatch(/^HTTP\/1\.1 400 /);
  expect(await ask('/after')).toMatch(/^HTTP\/1\.1 200 /);
});

test.each(['/#', '//', '/\\', '/%', '//host:99999/', '/[:', '/:@'])(
  'a path however odd is answered: %j',
  async (target) => {
    expect(await ask(target)).toMatch(/^HTTP\/1\.1 200 /);
  },
);

test('an absolute target sets the path and replaces the Host header', async () => {
  const answer = await ask('http://Asked.example:8080/terms?a=b');
  expect(answer).toContain('{"path":"/terms","query":"a=b","host":"asked.example:8080"}');
});
