import { createServer, type Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface Received {
  from: string;
  to: string[];
  /** Whether it came over TLS. */
  secure: boolean;
  user: string | undefined;
  raw: string;
  email: Promise<Email>;
}

export interface MailServer extends AsyncDisposable {
  port: number;
  /** In order of arrival. */
  received: Received[];
  /** The number of connections so far. */
  connections: () => number;
  /** Closes every connection without a response. */
  hangUp: () => void;
}

/**
 * An SMTP server on a free port of this machine that stores its messages. With its options, it can refuse at every
 * step. `host` is the address that it listens on.
 */
export async function mailServer(options: SMTPServerOptions = {}, host = '127.0.0.1'): Promise<MailServer> {
  const received: Received[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect(_session, callback) {
      connections += 1;
      callback();
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks);
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: session.user,
          raw: raw.toString(),
          email: PostalMime.parse(raw),
        });
        callback();
      });
    },
    ...options,
  });
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  // Tests cause errors of clients that distrust the certificate or disconnect.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: getPort(server.server.address()),
    received,
    connections: () => connections,
    hangUp,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Otherwise it waits for connections that a client keeps for its next message.
      hangUp();
      await closed;
    },
  };
}

/** A refusal for any step. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** A listener in place of a mail server. */
export async function strangeServer(
  onSocket: (socket: Socket) => void,
): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: getPort(server.address()),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function getPort(address: unknown): number {
  const port: unknown = Reflect.get(Object(address), 'port');
  if (typeof port !== 'number') throw new Error('the server has no port');
  return port;
}
