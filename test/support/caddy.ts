import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type PeerCertificate, TLSSocket } from 'node:tls';
import { isPeerMissing } from './peers.ts';
import { freePort } from './serverProcess.ts';

export const caddyfile = path.resolve(import.meta.dirname, '../../deploy/Caddyfile');

export const skipWithoutCaddy = isPeerMissing(
  spawnSync('caddy', ['version']).status === 0,
  'No Caddy to test with (Debian: apt-get install caddy).',
);

/**
 * Visitors use another loopback address than Caddy, so that the application can distinguish them. Only Linux has it by
 * default.
 */
export const visitorAddress = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';

interface VisitorAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  certificate: PeerCertificate;
}

interface Asking {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Caddy extends AsyncDisposable {
  httpPort: number;
  httpsPort: number;
  /** Sends a request over TLS as a visitor who trusts Caddy's authority. Rejects if the handshake fails. */
  ask: (host: string, asking?: Asking) => Promise<VisitorAnswer>;
  /** Sends this text over TLS as a visitor, and returns all that comes back until the connection closes. */
  send: (host: string, text: string) => Promise<string>;
  /** Rejects unless a handshake with this name (null: none) succeeds, with any signer. */
  handshake: (serverName: string | null) => Promise<true>;
  /** The names that have certificates so far. */
  certified: () => Promise<string[]>;
  log: () => string;
}

export interface CaddyVariables {
  APP_ADDRESS: string;
  /** By default the first of APP_ADDRESS. */
  ASK_ADDRESS?: string;
  APP_OPTIONS?: string;
  MAIN_DOMAINS: string;
}

/**
 * The shipped Caddyfile in a real Caddy on loopback, with its internal authority. Its state is in a folder that is
 * removed with it.
 */
export async function startCaddy(env: CaddyVariables): Promise<Caddy> {
  const [httpPort, httpsPort] = await Promise.all([freePort(), freePort()]);
  const home = await mkdtemp(path.join(tmpdir(), 'caddy-'));
  const options = ['local_certs', 'admin off', `http_port ${httpPort}`, `https_port ${httpsPort}`];
  const child = spawn('caddy', ['run', '--config', caddyfile, '--adapter', 'caddyfile'], {
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      XDG_DATA_HOME: home,
      XDG_CONFIG_HOME: home,
      CADDY_OPTIONS: [...options, 'default_bind 127.0.0.1'].join('\n'),
      ASK_ADDRESS: env.APP_ADDRESS.split(' ')[0],
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (log += part));
  const storage = path.join(home, 'caddy');
  const stop = async (): Promise<void> => {
    await stopped(child);
    await rm(home, { recursive: true, force: true });
  };
  try {
    const ca = await readyAuthority(child, storage, () => log);
    // Caddy serves before it has created the certificates of the main domains.
    for (const name of env.MAIN_DOMAINS.split(', '))
      while (!(await shakeHands(httpsPort, name).catch(() => false))) {
        throwIfEnded(child, log);
        await delay(20);
      }
    return {
      httpPort,
      httpsPort,
      ask: (host, asking = {}) => askOverTls({ host, port: httpsPort, ca }, asking),
      send: (host, sent) => sendOverTls({ host, port: httpsPort, ca }, sent),
      handshake: (serverName) => shakeHands(httpsPort, serverName),
      certified: () => readdir(path.join(storage, 'certificates/local')).catch(() => []),
      log: () => log,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The authority's certificate, once Caddy reports that it serves. Throws its output if it exits. */
async function readyAuthority(child: ChildProcess, storage: string, log: () => string): Promise<string> {
  await once(child, 'spawn');
  const root = path.join(storage, 'pki/authorities/local/root.crt');
  while (!log().includes('serving initial configuration') || !existsSync(root)) {
    throwIfEnded(child, log());
    await delay(20);
  }
  return readFile(root, 'utf8');
}

function throwIfEnded(child: ChildProcess, log: string): void {
  if (child.exitCode !== null || child.signalCode !== null) throw new Error(`Caddy ended:\n${log}`);
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(late);
}

interface Target {
  host: string;
  port: number;
  ca: string;
}

async function sendOverTls({ host, port, ca }: Target, sent: string): Promise<string> {
  const own = { host: '127.0.0.1', localAddress: visitorAddress };
  const socket = connect({ ...own, port, servername: host, ca }, () => socket.write(sent));
  return text(socket);
}

function askOverTls(
  { host, port, ca }: Target,
  { method = 'GET', path: asked = '/', headers = {}, body }: Asking,
): Promise<VisitorAnswer> {
  const options = {
    host: '127.0.0.1',
    localAddress: visitorAddress,
    port,
    servername: host,
    ca,
    method,
    path: asked,
    headers: { host: `${host}:${port}`, ...headers },
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      const { socket, statusCode: status = 0 } = response;
      if (!(socket instanceof TLSSocket)) throw new Error('the answer came without TLS');
      const certificate = socket.getPeerCertificate();
      response.on('error', reject);
      text(response).then(
        (page) => resolve({ status, headers: response.headers, text: page, certificate }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The other end may never answer. */
const handshakeMs = 5_000;

function shakeHands(port: number, serverName: string | null): Promise<true> {
  const own = {
    host: '127.0.0.1',
    localAddress: visitorAddress,
    ...(serverName === null ? {} : { servername: serverName }),
  };
  return new Promise((resolve, reject) => {
    const socket = connect({ ...own, port, rejectUnauthorized: false }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', reject);
    socket.setTimeout(handshakeMs, () => socket.destroy(new Error('the handshake came to no end')));
  });
}
