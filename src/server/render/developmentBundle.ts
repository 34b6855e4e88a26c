import type { Server } from 'node:http';
import type Koa from 'koa';
import { createServer, type ViteDevServer } from 'vite';
import type { DevelopmentBundle } from './bundle.ts';
import { isRenderer, type Renderer } from './renderer.ts';

/** Vite inside this process: its files, its web socket and our pages share one port. */
export async function startDevelopment(
  server: Server,
  root: string,
  favicon: string,
): Promise<DevelopmentBundle> {
  const vite = await createServer({
    root,
    logLevel: 'warn',
    server: { middlewareMode: true, ws: { server } },
  });
  let loaded: Renderer | null = null;
  return {
    clientDir: null,
    links: () => ({ script: '/src/client/app/entryClient.tsx', modulePreloads: [], early: null, favicon }),
    close: () => vite.close(),
    development: {
      middleware: viteMiddleware(vite),
      loadedRenderer: () => loaded,
      transformHtml: (url, html) => vite.transformIndexHtml(url, html),
      async loadRenderer() {
        const entry: unknown = await vite.ssrLoadModule('/src/client/app/entryServer.tsx');
        if (typeof entry !== 'object' || entry === null || !isRenderer(entry)) {
          throw new Error('src/client/app/entryServer.tsx does not export what the server renders with');
        }
        loaded = entry;
        return loaded;
      },
    },
  };
}

/** Vite's connect stack as one Koa middleware. Requests that Vite does not answer continue. */
function viteMiddleware(vite: ViteDevServer): Koa.Middleware {
  return async (ctx, next) => {
    const { res } = ctx;
    // Koa's default status is 404, and Vite's file server keeps the status it finds.
    res.statusCode = 200;
    const answered = await new Promise<boolean>((resolve, reject) => {
      res.once('close', () => resolve(true));
      vite.middlewares(ctx.req, res, (error: unknown) => {
        if (error === undefined || error === null) resolve(false);
        else reject(error instanceof Error ? error : new Error('Vite failed', { cause: error }));
      });
    });
    if (answered) {
      ctx.respond = false;
      return;
    }
    res.statusCode = 404;
    await next();
  };
}
