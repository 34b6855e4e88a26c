import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '#server/db/connect.ts';
import { startSession } from '#server/features/auth/sessions.ts';
import { sessionCookieName } from '#server/security/cookies.ts';
import { openStream } from '#test/support/eventStream.ts';
import { type ServerProcess, startServer } from '#test/support/serverProcess.ts';
import { insertAccount } from '#test/support/staff.ts';
import type { Figure } from './figure.ts';
import { postgresCpuMs } from './postgresCpu.ts';

const streams = 20;
const rounds = 4;
/** CPU time is counted in steps of 10 ms. */
const roundMs = 20_000;
/** For the first round of questions, and for the end of closed streams. */
const settleMs = 2_000;

interface Cost {
  node: number;
  postgres: number;
}

interface IdleStreamsOptions {
  db: Database;
  databaseUrl: string;
  dataDir: string;
  say: (line: string) => void;
}

/**
 * What twenty open dashboards cost while no lead arrives: milliseconds of CPU a second of the process and of Postgres,
 * in turns with none.
 */
export async function idleStreams({ db, databaseUrl, dataDir, say }: IdleStreamsOptions): Promise<Figure[]> {
  await using server = await startServer({
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'error',
    MAP_TILES_URL: 'off',
    WORKER: 'off',
  });
  const sessions: string[] = [];
  // In turn: an account's name depends on how many there are.
  while (sessions.length < streams) sessions.push(await openSession(db));
  const [none, open]: [Cost, Cost] = [
    { node: 0, postgres: 0 },
    { node: 0, postgres: 0 },
  ];
  for (let round = 0; round < rounds; round += 1) {
    say(`idle streams, round ${round + 1} of ${rounds}`);
    add(none, await measure(server, dataDir));
    const opened = await Promise.all(sessions.map((cookie) => openStream(server.port, { cookie })));
    const refused = opened.find(({ status }) => status !== 200);
    if (refused !== undefined) throw new Error(`/api/events answers ${refused.status}`);
    await delay(settleMs);
    if (opened.some((stream) => stream.events().length === 0)) throw new Error('a stream is silent');
    add(open, await measure(server, dataDir));
    for (const stream of opened) stream.close();
    await delay(settleMs);
  }
  return (['node', 'postgres'] as const).map((part) => ({
    name: `${streams} idle streams, ${part === 'node' ? 'Node' : 'Postgres'}`,
    measured: (open[part] - none[part]) / rounds,
    baseline: null,
    unit: 'ms/s',
    against: `more than ${(none[part] / rounds).toFixed(2)} ms/s without`,
    bar: { of: 'measured', sign: '<=', value: 1 },
  }));
}

/** Signs a new manager in. Returns the cookie. */
export async function openSession(db: Database): Promise<string> {
  const { id, passwordHash } = await insertAccount({ db }, 'manager');
  const { token } = await startSession(db, { accountId: id, passwordHash, now: new Date() });
  return `${sessionCookieName(false)}=${token}`;
}

function add(sum: Cost, { node, postgres }: Cost): void {
  sum.node += node;
  sum.postgres += postgres;
}

/** Milliseconds of CPU a second during one round. */
async function measure(server: ServerProcess, dataDir: string): Promise<Cost> {
  const before = { node: server.cpuMs(), postgres: postgresCpuMs(dataDir) };
  await delay(roundMs);
  const seconds = roundMs / 1000;
  return {
    node: (server.cpuMs() - before.node) / seconds,
    postgres: (postgresCpuMs(dataDir) - before.postgres) / seconds,
  };
}
