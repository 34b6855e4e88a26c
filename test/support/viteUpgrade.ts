import { randomBytes } from 'node:crypto';

/** The headers by which an open page connects to Vite's hot reload. */
export function viteUpgrade(): Record<string, string> {
  return {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Protocol': 'vite-hmr',
  };
}
