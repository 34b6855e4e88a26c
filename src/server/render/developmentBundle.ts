import { Agent, type IncomingMessage, request, type RequestOptions, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { createNodeImportMeta, ESModulesEvaluator, ModuleRunner } from 'vite/module-runner';
import { z } from 'zod';
import type { PageKind } from '#shared/pages/pages.ts';
import { type PageLinks, isRenderer, type Renderer } from './document.ts';

/** Vite in development: modules are built on request and replaced while the page is open. */
export interface DevelopmentBundle {
  development: {
    middleware: Koa.Middleware;
    loadRenderer: () => Promise<Renderer>;
    /** The renderer as last loaded; null before the first page. */
    loadedRenderer: () => Renderer | null;
    /** Adds hot reload to a page. */
    transformHtml: (url: string, html: string) => Promise<string>;
  };
  clientDir: null;
  links: (kind: PageKind) => PageLinks;
  close: () => Promise<void>;
}

/** Vite runs in another process (scripts/dev/viteServer.ts), which outlives this one and listens on `viteSocket`. */
export interface DevelopmentSource {
  server: Server;
  viteSocket: string;
}

/** The paths of what Vite's process is asked for by POST. A GET is for a file. */
export const vitePaths = { module: '/module', html: '/html' } as const;

/** Marks Vite's response to a path that is none of its files. */
export const noFileHeader = 'x-no-file';

/** They belong to one connection, or to a body that isn't sent on. */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

const answerSchema = z.union([z.object({ result: z.unknown() }), z.object({ error: z.unknown() })]);

/** Vite's files, its web socket and our pages share the port of `server`. */
export function startDevelopment(
  { server, viteSocket }: DevelopmentSource,
  favicon: string,
): DevelopmentBundle {
  const agent = new Agent({ keepAlive: true });
  const ask = (options: RequestOptions, body?: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      request({ ...options, agent, socketPath: viteSocket }, resolve)
        .once('error', reject)
        .end(body);
    });
  const post = async (path: string, body: string): Promise<string> => {
    const response = await ask({ method: 'POST', path }, body);
    const answer = await text(response);
    if (response.statusCode !== 200) throw new Error(answer);
    return answer;
  };
  const runner = new ModuleRunner(
    {
      transport: {
        invoke: async (payload) =>
          answerSchema.parse(JSON.parse(await post(vitePaths.module, JSON.stringify(payload)))),
      },
      createImportMeta: createNodeImportMeta,
      hmr: false,
      // Node's own would read the source map of every package.
      sourcemapInterceptor: 'prepareStackTrace',
    },
    new ESModulesEvaluator(),
  );
  let loaded: Renderer | null = null;
  return {
    clientDir: null,
    links: () => ({ script: '/src/client/app/entryClient.tsx', modulePreloads: [], favicon }),
    close: passUpgrades(server, viteSocket),
    development: {
      middleware: viteFiles(ask),
      loadedRenderer: () => loaded,
      transformHtml: (url, html) => post(`${vitePaths.html}?${new URLSearchParams({ url })}`, html),
      async loadRenderer() {
        const entry: unknown = await runner.import('/src/client/app/entryServer.tsx');
        if (typeof entry !== 'object' || entry === null || !isRenderer(entry)) {
          throw new Error('src/client/app/entryServer.tsx does not export what the server renders with');
        }
        loaded = entry;
        return loaded;
      },
    },
  };
}

/** Answers with Vite's files. Requests for anything else continue. */
function viteFiles(ask: (options: RequestOptions) => Promise<IncomingMessage>): Koa.Middleware {
  return async (ctx, next) => {
    const { method, req, res } = ctx;
    if (method !== 'GET' && method !== 'HEAD') return next();
    const response = await ask({ method, path: req.url ?? '/', headers: sent(req) });
    if (response.headers[noFileHeader] !== undefined) {
      response.resume();
      return next();
    }
    ctx.respond = false;
    res.writeHead(response.statusCode ?? 502, sent(response));
    // A visitor who leaves is no fault.
    await pipeline(response, res).catch(() => response.destroy());
    return undefined;
  };
}

/** The headers of a message for the next connection. */
function sent({ headers }: IncomingMessage): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ownHeaders.has(name) ? [] : [[name, value]],
    ),
  );
}

/** Connects pages to Vite's web socket. Returns what ends these connections, after which an open page reloads. */
function passUpgrades(server: Server, viteSocket: string): () => Promise<void> {
  const open = new Set<Socket>();
  let isClosed = false;
  server.on('upgrade', ({ method, url, rawHeaders }: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isClosed) {
      socket.destroy();
      return;
    }
    const upstream = connect(viteSocket);
    open.add(upstream);
    const end = (): void => {
      open.delete(upstream);
      upstream.destroy();
      socket.destroy();
    };
    for (const side of [upstream, socket]) side.once('error', end).once('close', end);
    const headers = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1] ?? ''}\r\n`] : [],
    );
    upstream.write(`${method ?? 'GET'} ${url ?? '/'} HTTP/1.1\r\n${headers.join('')}\r\n`, 'latin1');
    upstream.write(head);
    socket.pipe(upstream).pipe(socket);
  });
  return async () => {
    isClosed = true;
    for (const upstream of open) upstream.destroy();
  };
}
