import { createServer, type Server } from 'node:http';
import { type Socket, createServer as createProbe, Server as NetServer } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Longer than proxies keep an idle connection (mostly a minute): they must close first, or a lead may be sent on a
 * closing connection. Node's five minutes for a request is too long for 32 KiB, its check every 30 seconds too rare.
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
 * The server for all requests, not yet listening. A request without a body has an ended stream, which no event reports,
 * so readers of bodies check `readableEnded` first. A client that closed its side still gets the response.
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

/** Sets Node's socket timeout only while a response waits for its reader: it would also end our own slow work. */
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

/** Where a process listens. */
export interface Address {
  /** Null: nowhere. */
  port: number | null;
  variable: 'PORT' | 'METRICS_PORT';
}

/** Listens, unless there is no port. Throws a sentence for the operator if it is taken. */
export async function listen(server: NetServer, host: string, { port, variable }: Address): Promise<void> {
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
  const probe = createProbe();
  await listen(probe, host, address);
  if (!probe.listening) return;
  probe.close();
  await once(probe, 'close');
}

/** How long connections without a request stay open after the listener has closed: a request may be in transit. */
const lingerMs = 500;
const idleSweepMs = 50;
const quietTurnsMax = 1_000;
/** Longer requests are cut off. Longer than a change may take while the process stops (stoppingTimeoutMs). */
const drainMs = 5_000;

/** One turn of the event loop. Whatever arrived before it has been accepted and read. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Waits, with a limit, for a turn without new connections: closing a listener resets those not yet accepted. */
async function untilNobodyConnects(server: Server): Promise<void> {
  let connected = 0;
  const count = (): void => void (connected += 1);
  server.on('connection', count);
  for (let turns = 0, before = -1; turns < quietTurnsMax && connected !== before; turns += 1) {
    before = connected;
    await turn();
  }
  server.off('connection', count);
}

/**
 * Closes a server without cutting off requests. For `delayMs` it still accepts connections, while a load balancer sees
 * /healthz fail. Then requests have five seconds and idle connections close. The caller sends `Connection: close`.
 */
export async function closeGracefully(server: Server, { delayMs }: { delayMs: number }): Promise<void> {
  if (!server.listening) return;
  await delay(delayMs);
  await turn();
  await untilNobodyConnects(server);
  const closed = new Promise<void>((resolve) => {
    // close() of node:http also closes connections that are idle now.
    NetServer.prototype.close.call(server, () => resolve());
  });
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await Promise.race([closed, delay(lingerMs)]);
  const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), idleSweepMs);
  await closed;
  clearTimeout(cut);
  clearInterval(sweep);
}
