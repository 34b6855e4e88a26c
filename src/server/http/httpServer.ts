import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Longer than common proxies keep an idle connection (mostly a minute). The side that sends must close first; otherwise
 * a lead may be sent on a connection that is just closing. Node's default of five minutes for a request is far too long
 * for 32 KiB, and its check every 30 seconds too rare.
 */
const connectionLimits = {
  keepAliveTimeout: 75_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
};

/** A client that reads nothing of its response for this long is cut off. */
const stallMs = 30_000;
const stallLookMs = 5_000;

/**
 * A request for another protocol with a chunked body must keep sending: Node does not notice if that body is malformed.
 */
const upgradeBodyMs = 10_000;

interface Limits {
  /** Shorter in tests. */
  stallMs?: number;
  stallLookMs?: number;
  upgradeBodyMs?: number;
}

/**
 * The server for all requests, not yet listening. A request without a body has a stream that has already ended, which
 * shows in `readableEnded` and by no event, so code that reads bodies checks it first. A client that has sent its
 * request and closed its side still gets the response.
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
 * Node's socket timeout sees every byte that the client reads, but would also end requests that take the server long.
 * So it is set only while a response waits for its reader.
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
      // A response with a pace of its own (an export) has its own timeout.
      if (socket.timeout !== undefined && socket.timeout > limitMs) continue;
      if (socket.writableLength > 0) {
        if (socket.timeout !== limitMs) socket.setTimeout(limitMs);
      } else if (socket.timeout === limitMs) socket.setTimeout(0);
    }
  }, everyMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
