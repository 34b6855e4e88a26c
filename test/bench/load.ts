import { once } from 'node:events';
import { connect as openSocket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface LoadResult {
  perSecond: number;
  requests: number;
  /** Answers whose status wasn't the expected one; a benchmark with any is void. */
  unexpected: number;
}

interface LoadOptions {
  port: number;
  connections: number;
  seconds: number;
  expectedStatus: number;
  /** The whole request, head and body; called once for each request, so it should be cheap. */
  request: (index: number) => Buffer;
}

interface Connection {
  /** Sends a whole request. The previous one must be answered. */
  send: (request: Buffer) => void;
  end: () => void;
  /** Resolves when the socket is closed. Rejects if it fails. */
  closed: Promise<void>;
}

interface ConnectionOptions {
  port: number;
  expectedStatus: number;
  /** Called at each whole answer. */
  onAnswer: (connection: Connection, isExpected: boolean) => void;
}

/**
 * A keep-alive socket. It reads only the status and Content-Length, so that on two cores the server and not the
 * generator is what is measured.
 */
async function openConnection({ port, expectedStatus, onAnswer }: ConnectionOptions): Promise<Connection> {
  const status = Buffer.from(`HTTP/1.1 ${expectedStatus} `);
  const socket = openSocket({ port, host: '127.0.0.1', noDelay: true });
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
  let awaited = -1;
  let head: Buffer = Buffer.alloc(0);
  let isExpected = false;
  const connection: Connection = {
    send(request) {
      awaited = -1;
      head = Buffer.alloc(0);
      socket.write(request);
    },
    end: () => socket.end(),
    closed,
  };
  socket.on('data', (chunk: Buffer) => {
    if (awaited >= 0) {
      awaited -= chunk.length;
    } else {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      isExpected = head.subarray(0, status.length).equals(status);
      awaited = contentLength(head.subarray(0, end)) - (head.length - end - 4);
    }
    if (awaited <= 0) onAnswer(connection, isExpected);
  });
  await Promise.race([once(socket, 'connect'), closed]);
  return connection;
}

/** A closed-loop HTTP/1.1 load: each connection sends its next request when the answer is whole. */
export async function load({
  port,
  connections,
  seconds,
  expectedStatus,
  request,
}: LoadOptions): Promise<LoadResult> {
  let requests = 0;
  let unexpected = 0;
  let next = 0;
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  const onAnswer: ConnectionOptions['onAnswer'] = (connection, isExpected) => {
    requests += 1;
    if (!isExpected) unexpected += 1;
    if (performance.now() < endAt) connection.send(request(next++));
    else connection.end();
  };
  const runConnection = async (): Promise<void> => {
    const connection = await openConnection({ port, expectedStatus, onAnswer });
    connection.send(request(next++));
    await connection.closed;
  };
  const stopSpinning = spin();
  try {
    await Promise.all(Array.from({ length: connections }, runConnection));
  } finally {
    stopSpinning(); // or a run that failed would never let the process end
  }
  return { perSecond: requests / ((performance.now() - startedAt) / 1000), requests, unexpected };
}

/** More requests at the same time than a server at half its load has; each has a connection of its own. */
const pacedConnections = 128;

interface PacedOptions extends Omit<LoadOptions, 'connections'> {
  perSecond: number;
}

/**
 * An open-loop load: requests are due at a steady rate, whatever the server does. Returns the milliseconds from when
 * each was due to its whole answer, shortest first: a request that had to wait for a free connection counts in full.
 * Throws for an unexpected status.
 */
export async function pacedLoad({
  port,
  perSecond,
  seconds,
  expectedStatus,
  request,
}: PacedOptions): Promise<number[]> {
  const times: number[] = [];
  let asked = 0;
  let unexpected = 0;
  const due: number[] = [];
  const dueAt = new Map<Connection, number>();
  const free: Connection[] = [];
  const sendDue = (): void => {
    while (due.length > 0 && free.length > 0) {
      const [at, connection] = [due.shift() ?? 0, free.pop()];
      if (connection === undefined) return;
      dueAt.set(connection, at);
      connection.send(request(asked++));
    }
  };
  const onAnswer: ConnectionOptions['onAnswer'] = (connection, isExpected) => {
    times.push(performance.now() - (dueAt.get(connection) ?? 0));
    if (!isExpected) unexpected += 1;
    free.push(connection);
    sendDue();
  };
  for (let index = 0; index < pacedConnections; index += 1)
    free.push(await openConnection({ port, expectedStatus, onAnswer }));
  const connections = [...free];
  const lost = Promise.race(connections.map(({ closed }) => closed)).then((): never => {
    throw new Error('the server closed a connection');
  });
  lost.catch(() => undefined);
  const total = Math.round(perSecond * seconds);
  const startedAt = performance.now();
  for (let sent = 0; times.length < total;) {
    const passed = ((performance.now() - startedAt) / 1000) * perSecond;
    for (; sent < Math.min(total, passed); sent += 1) due.push(startedAt + (sent / perSecond) * 1000);
    sendDue();
    // A loop without a pause would take one of two cores from the server.
    await Promise.race([delay(1), lost]);
  }
  for (const { end } of connections) end();
  await Promise.all(connections.map(({ closed }) => closed));
  if (unexpected > 0) throw new Error(`${unexpected} of ${total} answers had another status`);
  return times.toSorted((a, b) => a - b);
}

/**
 * Keeps this process from sleeping. Writing to a sleeping one wakes its core, which on a virtual machine
 * costs more than many an answer: a server would be charged for being slower than the generator.
 */
function spin(): () => void {
  let spinning = true;
  const again = (): void => {
    if (spinning) setImmediate(again);
  };
  again();
  return () => {
    spinning = false;
  };
}

const lengthName = '\r\nContent-Length: ';

/**
 * As Node writes it. Found from the end, byte by byte: an answer with more headers must not cost the generator more, or
 * the server would be charged for it.
 */
function contentLength(head: Buffer): number {
  const name = head.lastIndexOf(lengthName);
  const start = name + lengthName.length;
  const length = name === -1 ? Number.NaN : Number.parseInt(head.toString('latin1', start, start + 12), 10);
  if (Number.isNaN(length))
    throw new Error(`an answer without Content-Length can't be counted:\n${head.toString('latin1')}`);
  return length;
}

/** Median of several runs, so that one hiccup of the machine doesn't decide. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function percentile(sorted: number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

interface Round {
  measured: number;
  baseline: number;
}

/**
 * Runs the measured thing and its baseline in turns, so that both meet the same machine, and returns the round whose
 * ratio is the median: what the machine does besides changes from second to second, and hits the two of a round alike.
 */
export async function alternate(
  rounds: number,
  measured: () => Promise<LoadResult>,
  baseline: () => Promise<LoadResult>,
): Promise<Round> {
  const results: Round[] = [];
  for (let round = 0; round < rounds; round++)
    results.push({
      baseline: await rateOf('baseline', baseline),
      measured: await rateOf('measured', measured),
    });
  const sorted = results.toSorted((a, b) => a.measured / a.baseline - b.measured / b.baseline);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('no round was run');
  return middle;
}

async function rateOf(name: keyof Round, run: () => Promise<LoadResult>): Promise<number> {
  const { perSecond, requests, unexpected } = await run();
  if (unexpected > 0)
    throw new Error(`${unexpected} of ${requests} answers of the ${name} run had another status`);
  return perSecond;
}
