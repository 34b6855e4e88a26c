import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

/** A complete request to a receiver. */
export interface Received {
  method: string;
  path: string;
  /** The headers, without `set-cookie`, which may occur twice. */
  headers: Record<string, string>;
  /** `webhook-id`. */
  key: string;
  body: string;
}

/** A receiver's reaction to a request; `nth` counts from 1. */
export type Behaviour = (response: ServerResponse, received: Received, nth: number) => void;

export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
  /** Sets the behavior for later requests. */
  become: (behaviour: Behaviour) => void;
}

/** Answers 200 with an empty body. */
export const takes: Behaviour = (response) => void response.end();

export function answers(status: number, body = '', headers: Record<string, string> = {}): Behaviour {
  return (response) => void response.writeHead(status, headers).end(body);
}

/** Does not answer before the promise resolves. */
export function answersAfter(released: Promise<void>, behaviour: Behaviour = takes): Behaviour {
  return (response, received, nth) => void released.then(() => behaviour(response, received, nth));
}

/** Never answers. */
export const hangs: Behaviour = () => undefined;

/** Closes the connection in the middle of the response. */
export function cuts(status: number): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-length': '1000' });
    response.write('only a part', () => response.destroy());
  };
}

/** Sends the first part of a 200 response, and never the rest. */
export const endless: Behaviour = (response) => {
  response.writeHead(200);
  response.write('only a part');
};

/** Sends an endless response until the client disconnects. */
export function floods(status: number): Behaviour {
  return (response) => {
    response.writeHead(status);
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 'x')));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** A real HTTP server on this machine with the given behavior. */
export async function startReceiver(first: Behaviour = takes): Promise<Receiver> {
  let behaviour = first;
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '' } = request;
      const headers = plain(request.headers);
      const arrived = {
        method,
        path,
        headers,
        key: headers['webhook-id'] ?? '',
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(arrived);
      behaviour(response, arrived, received.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    become: (next) => {
      behaviour = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
