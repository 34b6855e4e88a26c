import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { connect, type Sql } from '#server/db/connect.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { meets } from '#test/support/meets.ts';
import { type Receiver, startReceiver } from '#test/support/receiver.ts';
import { type RestartablePostgres, startRestartablePostgres } from '#test/support/restartablePostgres.ts';
import { type ServerProcess, startServer } from '#test/support/serverProcess.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { startWorkerProcess, type WorkerProcess } from '#test/support/workerProcess.ts';
import { waitUntil } from '#test/support/waitFor.ts';

const restarts = 15;
/** Leads taken between two restarts, so that each restart meets a working product. */
const leadsBetween = 3;
const senders = 3;
const pauseMs = 50;

interface Product extends AsyncDisposable {
  web: ServerProcess;
  worker: WorkerProcess | null;
}

async function startProduct(env: Record<string, string>, hasWorker: boolean): Promise<Product> {
  const web = await startServer({ ...env, WORKER: hasWorker ? 'off' : 'inline' });
  const worker = hasWorker ? await startWorkerProcess(env) : null;
  return {
    web,
    worker,
    async [Symbol.asyncDispose]() {
      await web.kill();
      await worker?.[Symbol.asyncDispose]();
    },
  };
}

/** The lead's number; null: it was refused, or nobody answered. */
async function sendLead({ port }: ServerProcess): Promise<number | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/leads`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(leadInput({ zip_code: '80202', form: 'landing', token: formToken('landing') })),
    });
    return response.status === 201 ? ((await response.json()) as { id: number }).id : null;
  } catch {
    return null;
  }
}

/** Sends leads while Postgres is restarted again and again. Returns the numbers of those that were taken. */
async function restartUnderLoad(postgres: RestartablePostgres, { web }: Product): Promise<Set<number>> {
  const taken = new Set<number>();
  const over = new AbortController();
  const send = async (): Promise<void> => {
    while (!over.signal.aborted && web.ended() === null) {
      const id = await sendLead(web);
      if (id !== null) taken.add(id);
      await delay(pauseMs);
    }
  };
  const sending = Promise.all(Array.from({ length: senders }, send));
  try {
    for (let n = 0; n < restarts && web.ended() === null; n += 1) {
      const before = taken.size;
      await waitUntil(() => taken.size >= before + leadsBetween || web.ended() !== null, {
        timeout: 30_000,
      });
      await postgres.restart(n % 2 === 0 ? 'fast' : 'immediate');
    }
  } finally {
    over.abort();
    await sending;
  }
  return taken;
}

/** The leads among `ids` that the receiver has not got. */
function missing({ received }: Receiver, ids: Iterable<number>): number[] {
  const arrived = new Set(received.map(({ body }) => (JSON.parse(body) as { data: { id: number } }).data.id));
  return [...ids].filter((id) => !arrived.has(id));
}

interface Row {
  channel: string;
  state: string;
  reason: string | null;
}

/** Deliveries that have not left, and those given up. */
async function leftOver(sql: Sql): Promise<Row[]> {
  const rows = await sql<Row[]>`
    select distinct channel, state, reason from deliveries
    where state in ('queued', 'failed', 'cancelled')`;
  return [...rows];
}

test.concurrent.each([
  ['one process', false],
  ['web and worker apart', true],
])(
  '%s: no process ends and no lead is lost in 15 restarts of Postgres',
  async (_, hasWorker) => {
    meets('D.people.20 D.deliveries.08 D.names.28');
    const dataDir = await mkdtemp(join(tmpdir(), 'clinic-leads-restarts-'));
    await using postgres = await startRestartablePostgres();
    await using receiver = await startReceiver();
    const env = {
      DATABASE_URL: postgres.url,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      SECRET_KEYS: testSecret,
      ...crmEnvironment(receiver),
    };
    await using product = await startProduct(env, hasWorker);
    const { sql, db, close } = connect(postgres.url, { applicationName: 'restarts', max: 1 });
    await insertProvider(db, { zipCode: '80202' });

    const taken = await restartUnderLoad(postgres, product);
    expect(product.web.ended()).toBeNull();
    expect(product.worker?.ended() ?? null).toBeNull();
    expect(taken.size).toBeGreaterThanOrEqual(restarts * leadsBetween);
    taken.add(await waitUntil(() => sendLead(product.web)));
    // Everything due leaves within a minute, without help: an attempt that a restart interrupted keeps its claim until
    // that runs out.
    const isDone = async (): Promise<boolean> =>
      missing(receiver, taken).length === 0 && (await leftOver(sql)).length === 0;
    await waitUntil(isDone, { interval: 250 }).catch(() => undefined);
    expect(missing(receiver, taken)).toEqual([]);
    expect(await leftOver(sql)).toEqual([]);
    const stopped = Promise.all([product.web[Symbol.asyncDispose](), product.worker?.kill('SIGTERM')]);
    const late = delay(15_000, 'late', { ref: false });
    expect(await Promise.race([stopped, late])).not.toBe('late');
    expect([product.web.ended(), product.worker?.ended() ?? 0]).toEqual([0, 0]);
    await close();
    await rm(dataDir, { recursive: true });
  },
  180_000,
);
