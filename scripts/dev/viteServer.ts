import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer, type ViteDevServer } from 'vite';
import { z } from 'zod';
import { noFileHeader, vitePaths } from '#server/render/developmentBundle.ts';

export interface ViteServer {
  /** Where src/server/render/developmentBundle.ts asks it. */
  socket: string;
  close: () => Promise<void>;
}

interface ViteOptions {
  root: string;
  /** Changes in it are none of a source. */
  dataDir: string;
  /** Called with each file of the repository that changed: its path from `root`, with slashes. */
  onChange: (file: string) => void;
}

const changes = new Set(['add', 'change', 'unlink']);

/** A call of Vite's module runner. */
const invokeSchema = z.object({ type: z.literal('custom'), event: z.string(), data: z.unknown() });

/** Starts Vite for processes of this user only: its socket is a file in a private folder. */
export async function startViteServer({ root, dataDir, onChange }: ViteOptions): Promise<ViteServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'clinic-leads-vite-'));
  await chmod(folder, 0o700);
  const socket =
    process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, 'vite');
  const server = createHttpServer({ keepAliveTimeout: 0, requestTimeout: 0 });
  const vite = await createServer({
    root,
    logLevel: 'warn',
    server: {
      middlewareMode: true,
      ws: { server },
      watch: { ignored: [`${path.resolve(dataDir)}/**`] },
    },
    plugins: [
      {
        name: 'report-changes',
        // A change of its configuration replaces Vite's watcher.
        configureServer({ watcher }) {
          watcher.on('all', (event, file) => {
            if (changes.has(event)) onChange(path.relative(root, file).replaceAll('\\', '/'));
          });
        },
      },
    ],
  });
  server.on('request', (request, response) => {
    if (request.method !== 'POST') {
      vite.middlewares(request, response, () => response.writeHead(404, { [noFileHeader]: '1' }).end());
      return;
    }
    answer(vite, request).then(
      (body) => response.end(body),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    );
  });
  server.listen(socket);
  await once(server, 'listening');
  return {
    socket,
    async close() {
      await vite.close();
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answer(vite: ViteDevServer, request: IncomingMessage): Promise<string> {
  const body = await text(request);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vite');
  if (pathname === vitePaths.html) return vite.transformIndexHtml(searchParams.get('url') ?? '/', body);
  const call = invokeSchema.parse(JSON.parse(body));
  return JSON.stringify(await vite.environments.ssr.hot.handleInvoke(call));
}
