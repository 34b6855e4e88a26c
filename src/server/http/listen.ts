import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Where a process listens. */
export interface Address {
  /** Null: nowhere. */
  port: number | null;
  /** The variable of the port. */
  variable: 'PORT' | 'METRICS_PORT';
}

/** Listens, unless there is no port. Throws a sentence for the operator if it is taken. */
export async function listen(server: Server, host: string, { port, variable }: Address): Promise<void> {
  if (port === null) return;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is taken. Stop what uses it or set ${variable}.`)
          : error,
      );
    });
    server.listen(port, host, resolve);
  });
}

/** Listens for a moment, to find out before a long start what `listen` would throw after it. */
export async function requireFreePort(host: string, address: Address): Promise<void> {
  const probe = createServer();
  await listen(probe, host, address);
  if (!probe.listening) return;
  probe.close();
  await once(probe, 'close');
}
