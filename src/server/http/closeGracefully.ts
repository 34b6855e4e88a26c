import { type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** How long connections without a request stay open after the listener has closed: a request may be on its way. */
const lingerMs = 500;
const idleSweepMs = 50;
const quietTurnsMax = 1_000;
/** What is under way after that long is cut: longer than a change may take once the process is stopping (stoppingTimeoutMs). */
const drainMs = 5_000;

/** One turn of the event loop: what has arrived by then has been accepted and read. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The system resets connections that wait to be accepted when a listener closes: waits for a turn in which none came, but not for long. */
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
 * Closes a server without cutting a request that was sent: for `delayMs` it still takes connections, while a load balancer notices that
 * /healthz fails; then the listener closes, answers under way finish within five seconds, and idle connections close. The caller has every
 * answer carry `Connection: close` from the beginning.
 */
export async function closeGracefully(server: Server, { delayMs }: { delayMs: number }): Promise<void> {
  if (!server.listening) return;
  await delay(delayMs);
  await turn();
  await untilNobodyConnects(server);
  const closed = new Promise<void>((resolve) => {
    // http's own close() also closes connections that are idle at this moment.
    NetServer.prototype.close.call(server, () => resolve());
  });
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await Promise.race([closed, delay(lingerMs)]);
  const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), idleSweepMs);
  await closed;
  clearTimeout(cut);
  clearInterval(sweep);
}
