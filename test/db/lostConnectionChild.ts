import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect, type Sql } from '#server/db/connect.ts';

/** What happened to a transaction whose connection was lost, and to the pool after it. */
interface Outcome {
  /** 'ok', or the error code of the transaction. */
  transaction: string;
  /** Of a statement that the transaction sent after the pool had reconnected; null: it sent none. */
  lateStatement: string | null;
  /** What queries on the pool returned after that, in order. */
  answers: unknown[];
}

async function toOutcome(work: PromiseLike<unknown>): Promise<string> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

type Cut = (backendId: number) => PromiseLike<unknown>;

/** Any number; `loseConnection` holds this lock, so a statement that asks for it stays in flight. */
const heldLock = 4711;

function waitForLock(sql: Pick<Sql, 'unsafe'>): PromiseLike<unknown> {
  return sql.unsafe(`select pg_advisory_xact_lock(${heldLock})`);
}

/**
 * Loses the only connection of a pool while a statement of a transaction is in flight. The transaction ends with that
 * statement's error.
 */
async function failTransaction(sql: Sql, cut: Cut): Promise<Outcome> {
  const transaction = sql.begin(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await Promise.all([waitForLock(tx), cut(row?.pid ?? 0)]);
  });
  return { transaction: await toOutcome(transaction), lateStatement: null, answers: await listAnswers(sql) };
}

/** The same, but the transaction ignores the error and sends a statement once the pool has reconnected. */
async function continueTransaction(sql: Sql, cut: Cut): Promise<Outcome> {
  const reconnected = Promise.withResolvers<void>();
  const late = Promise.withResolvers<string>();
  const transaction = sql.begin(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await Promise.all([toOutcome(waitForLock(tx)), cut(row?.pid ?? 0)]);
    await reconnected.promise;
    late.resolve(await toOutcome(tx`create table written_outside_the_transaction (id int)`));
  });
  const ended = await toOutcome(transaction);
  await sql`select 1`;
  reconnected.resolve();
  return { transaction: ended, lateStatement: await late.promise, answers: await listAnswers(sql) };
}

/** Sent together, so that an answer given to the wrong query shows. */
async function listAnswers(sql: Sql): Promise<unknown[]> {
  const rows = await Promise.all([
    ...[1, 2, 3].map((n) => sql`select ${n}::int as answer`),
    sql`select to_regclass('written_outside_the_transaction')::text as answer`,
  ]);
  return rows.map(([row]) => row?.['answer']);
}

/**
 * Loses a pool's only connection while a cursor waits for its reader, who then reads on or leaves, as other queries use
 * the next connection.
 */
async function loseCursor(sql: Sql, cut: Cut, leaves: boolean): Promise<unknown> {
  const query = sql<{ pid: number }[]>`select pg_backend_pid() as pid from generate_series(1, 100)`;
  const rows: AsyncIterator<{ pid: number }[], unknown> = query.cursor(10)[Symbol.asyncIterator]();
  const first = await rows.next();
  const pid = first.done === true ? 0 : (first.value[0]?.pid ?? 0);
  await cut(pid);
  // The pool has one connection: this waits for the next one.
  await sql`select 1`;
  const answers = listAnswers(sql);
  const read = async (): Promise<string> => {
    const outcome = await toOutcome(Promise.resolve(rows.next()));
    return outcome === 'ok' ? 'ended as if complete' : outcome;
  };
  const reads = leaves ? [] : [await read(), await read()];
  await rows.return?.();
  return { reads, answers: await answers, later: await listAnswers(sql) };
}

/**
 * Ends a pool while it waits to reconnect; `leadBack` lets connections through again. A pool that reconnects keeps the
 * process running.
 */
async function endInBackoff(through: string, leadBack: () => Promise<void>): Promise<void> {
  const { sql } = connect(through, { applicationName: 'ended', max: 1 });
  // Each failure doubles the wait before the next connection, up to a second.
  for (let failures = 0; failures < 7; failures += 1) await toOutcome(sql`select 1`);
  const waiting = toOutcome(sql`select 1`);
  await new Promise((resolve) => setImmediate(resolve));
  await sql.end({ timeout: 0 });
  await leadBack();
  process.send?.(await waiting);
}

/**
 * A server that lets everybody in and hangs up at the first query, which is the driver's own: it asks for the array
 * types.
 */
async function hangUpAtFirstQuery(): Promise<void> {
  const authenticationOk = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0]);
  const readyForQuery = Buffer.from([90, 0, 0, 0, 5, 73]);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(Buffer.concat([authenticationOk, readyForQuery]));
      socket.once('data', () => socket.resetAndDestroy());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const url = `postgres://somebody@127.0.0.1:${port}/db?sslmode=disable`;
  const { sql } = connect(url, { applicationName: 'types', max: 1 });
  process.send?.(await toOutcome(sql`select 1`));
  await sql.end({ timeout: 0 });
  server.close();
}

/** Asks the test to do its part. */
function askForCut(): Promise<void> {
  return new Promise((resolve) => {
    process.once('message', () => resolve());
    process.send?.('cut');
  });
}

/**
 * Run as a process of its own: a driver that throws outside any promise ends it. Arguments: what to do, the database's
 * address, and through what.
 */
async function main([scenario = '', url = '', through = url]: string[]): Promise<void> {
  if (scenario === 'end') await endInBackoff(through, askForCut);
  else if (scenario === 'types') await hangUpAtFirstQuery();
  else await loseConnection(scenario, url, through);
  process.disconnect();
}

function run(scenario: string, sql: Sql, cut: Cut): Promise<unknown> {
  if (scenario === 'read' || scenario === 'leave') return loseCursor(sql, cut, scenario === 'leave');
  return (scenario === 'fail' ? failTransaction : continueTransaction)(sql, cut);
}

async function loseConnection(scenario: string, url: string, through: string): Promise<void> {
  const killer = connect(url, { applicationName: 'killer', max: 1 });
  await killer.sql`select pg_advisory_lock(${heldLock})`;
  const { sql, close } = connect(through, { applicationName: 'lost-connection', max: 1 });
  const cut: Cut = (pid) => (through === url ? killer.sql`select pg_terminate_backend(${pid})` : askForCut());
  process.send?.(await run(scenario, sql, cut));
  await Promise.all([close(), killer.close()]);
}

await main(process.argv.slice(2));
