import { createServer, type Server } from 'node:http';

/**
 * Longer than the proxies in use keep an idle connection (a minute mostly): the side that closes first must be the one that sends, or a lead
 * may set out on a connection that is just being closed. Node's own five minutes for a request are far too long for 32 KiB.
 */
const connectionLimits = { keepAliveTimeout: 75_000, requestTimeout: 60_000 };

/**
 * The server every request comes in by, without a listener yet. A request that announces no body has an ended stream from the start, which
 * says so by `readableEnded` and by no event: whoever reads bodies asks first.
 */
export function createHttpServer(): Server {
  return createServer({ ...connectionLimits, optimizeEmptyRequests: true });
}
