import { type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** How long connections without a request stay open after the listener has closed: a request may be in transit. */
const lingerMs = 500;
const idleSweepMs = 50;
const quietTurnsMax = 1_000;
/**
 * Requests that take longer are cut off. Longer than a change may take while the process is stopping
 * (stoppingTimeoutMs).
 */
const drainMs = 5_000;

/** One turn of the event loop. Whatever arrived before it has been accepted and read. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * When a listener closes, the system resets connections that wait to be accepted. Waits, with a limit, for a turn
 * without new ones.
 */
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
 * Closes a server without cutting off a request. For `delayMs` it still accepts connections, while a load balancer
 * notices that /healthz fails. Then the listener closes, requests finish within five seconds, and idle connections
 * close. The caller adds `Connection: close` to every response from the beginning.
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
