import { createServer, connect, type Socket } from 'node:net';
import { once } from 'node:events';

/** A way to a database whose address stays while the server behind it goes and comes back on another port. */
export interface DatabaseLink extends AsyncDisposable {
  /** The given address, led through the link. */
  url: (through: string) => string;
  /** Where new connections go from now on. */
  lead: (to: string) => void;
  /** Connections stay open but carry nothing from now on, as when a cable is cut. */
  freeze: () => void;
  /** Ends what was frozen; new connections work again. */
  thaw: () => void;
  /** Holds back every answer of the database for this long from now on; 0: no longer. */
  slow: (ms: number) => void;
  /** Connections taken so far. */
  accepted: () => number;
  /** Cuts every connection with a TCP reset, as a crashed host or a firewall does; new connections work. */
  reset: () => void;
}

/** Opens a link on a free port of this machine. */
export async function databaseLink(target: string): Promise<DatabaseLink> {
  let port = Number(new URL(target).port);
  let frozen = false;
  let delayMs = 0;
  let accepted = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    accepted += 1;
    const far = connect(port, '127.0.0.1');
    near.on('error', () => undefined);
    // Where nothing listens, say so as the system does: by a reset, not by a polite end.
    far.on('error', () => near.resetAndDestroy());
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('data', (bytes) => {
        if (frozen) return;
        // Timers of the same length fire in order.
        if (delayMs > 0 && socket === far) setTimeout(() => other.write(bytes), delayMs).unref();
        else other.write(bytes);
      });
      socket.on('close', () => {
        sockets.delete(socket);
        if (!frozen) other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the link has no port');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url(through) {
      const url = new URL(through);
      url.port = String(address.port);
      return url.href;
    },
    lead(to) {
      port = Number(new URL(to).port);
    },
    freeze() {
      frozen = true;
    },
    thaw() {
      frozen = false;
      cut();
    },
    slow(ms) {
      delayMs = ms;
    },
    accepted: () => accepted,
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
