import type { IncomingMessage } from 'node:http';

/**
 * Whether the browser sends the Global Privacy Control signal (https://w3c.github.io/gpc/), an opt-out that the law
 * requires us to honor.
 */
export function isOptedOut({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const signal = headers['sec-gpc'];
  return typeof signal === 'string' && signal.trim() === '1';
}
