import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Longer than the proxies in use keep an idle connection (a minute mostly): the side that closes first must be the one that sends, or a lead
 * may set out on a connection that is just being closed. Node's own five minutes for a request are far too long for 32 KiB, and half a minute
 * is too long between looks for requests that took longer.
 */
const connectionLimits = {
  keepAliveTimeout: 75_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
};

/** A client that takes nothing of its answer for this long is cut. */
const stallMs = 30_000;
const stallLookMs = 5_000;

/** A request that asks for another protocol and has a chunked body must keep it coming: Node doesn't notice when that body is malformed. */
const upgradeBodyMs = 10_000;

interface Limits {
  /** Shorter in tests. */
  stallMs?: number;
  stallLookMs?: number;
  upgradeBodyMs?: number;
}

/**
 * The server every request comes in by, without a listener yet. A request that announces no body has an ended stream from the start, which
 * says so by `readableEnded` and by no event: whoever reads bodies asks first. A client that has sent its request and closed its side
 * still gets the answer.
 */
export function createHttpServer(limits: Limits = {}): Server {
  const server = createServer({ ...connectionLimits, optimizeEmptyRequests: true });
  // Undocumented, and in Node since 2010 (lib/_http_server.js).
  Object.assign(server, { httpAllowHalfOpen: true });
  cutStalledClients(server, limits);
  const bodyMs = limits.upgradeBodyMs ?? upgradeBodyMs;
  server.on('request', ({ headers, socket }) => {
    if (headers.upgrade !== undefined && headers['transfer-encoding'] !== undefined)
      socket.setTimeout(bodyMs);
  });
  return server;
}

/**
 * Node's timeout of a socket sees every byte the other side takes, but would also end requests that take the server long. So it is set only
 * while an answer waits for its reader.
 */
function cutStalledClients(
  server: Server,
  { stallMs: limitMs = stallMs, stallLookMs: everyMs = stallLookMs }: Limits,
): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    for (const socket of sockets) {
      // An answer with a pace of its own (an export) has set a timeout of its own.
      if (socket.timeout !== undefined && socket.timeout > limitMs) continue;
      if (socket.writableLength > 0) {
        if (socket.timeout !== limitMs) socket.setTimeout(limitMs);
      } else if (socket.timeout === limitMs) socket.setTimeout(0);
    }
  }, everyMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
