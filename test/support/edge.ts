import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import Koa from 'koa';
import { errorBoundary } from '#server/http/errorBoundary.ts';
import { requestLog } from '#server/http/requestLog.ts';
import { requestId } from '#server/http/requestStart.ts';
import { securityHeaders } from '#server/http/securityHeaders.ts';
import { createLog, type Log } from '#server/log.ts';
import type { AppState } from '#server/tenant/tenant.ts';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export type Handler = (ctx: Koa.ParameterizedContext<AppState>) => unknown;

interface Options {
  trustedProxies?: number;
  log?: Log;
}

/** The first middlewares over real HTTP, followed by `handler`. */
export async function edge(
  handler: Handler,
  { trustedProxies = 0, log = createLog('silent') }: Options = {},
) {
  const app = new Koa<AppState>();
  app.silent = true;
  const config = { trustedProxies };
  app
    .use(requestId({ config }))
    .use(requestLog({ log }))
    .use(errorBoundary({ log }))
    .use(securityHeaders({ config }));
  app.use(async (ctx) => {
    ctx.state.client = { ip: '203.0.113.9', protocol: 'http', host: ctx.get('Host') };
    ctx.state.site = { kind: 'main', host: 'localhost', tenant: null };
    await handler(ctx);
  });
  const server = createServer((req, res) => void app.callback()(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  return {
    get: (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const outgoing = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
          response.setEncoding('utf8');
          response.on('error', reject);
          let text = '';
          response.on('data', (chunk: string) => (text += chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          );
        });
        outgoing.on('error', reject);
        outgoing.end();
      }),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
