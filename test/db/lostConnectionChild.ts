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

async function outcomeOf(work: PromiseLike<unknown>): Promise<string> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

type Cut = (backendId: number) => PromiseLike<unknown>;

/** Loses the only connection of a pool while a statement of a transaction is in flight. The transaction ends with that statement's error. */
async function failTransaction(sql: Sql, cut: Cut): Promise<Outcome> {
  const transaction = sql.begin(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await Promise.all([tx`select pg_sleep(30)`, cut(row?.pid ?? 0)]);
  });
  return { transaction: await outcomeOf(transaction), lateStatement: null, answers: await answersOf(sql) };
}

/** The same, but the transaction ignores the error and sends a statement once the pool has reconnected. */
async function continueTransaction(sql: Sql, cut: Cut): Promise<Outcome> {
  const reconnected = Promise.withResolvers<void>();
  const late = Promise.withResolvers<string>();
  const transaction = sql.begin(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await Promise.all([outcomeOf(tx`select pg_sleep(30)`), cut(row?.pid ?? 0)]);
    await reconnected.promise;
    late.resolve(await outcomeOf(tx`create table written_outside_the_transaction (id int)`));
  });
  const ended = await outcomeOf(transaction);
  await sql`select 1`;
  reconnected.resolve();
  return { transaction: ended, lateStatement: await late.promise, answers: await answersOf(sql) };
}

/** Sent together, so that an answer given to the wrong query shows. */
async function answersOf(sql: Sql): Promise<unknown[]> {
  const rows = await Promise.all([
    ...[1, 2, 3].map((n) => sql`select ${n}::int as answer`),
    sql`select to_regclass('written_outside_the_transaction')::text as answer`,
  ]);
  return rows.map(([row]) => row?.['answer']);
}

/** Run as a process of its own: a driver that throws outside any promise ends it. Arguments: what to do, the database's address, and through what. */
async function main([scenario = '', url = '', through = url]: string[]): Promise<void> {
  const killer = connect(url, { applicationName: 'killer', max: 1 });
  const { sql, close } = connect(through, { applicationName: 'lost-connection', max: 1 });
  const askForCut = (): Promise<void> =>
    new Promise((resolve) => {
      process.once('message', () => resolve());
      process.send?.('cut');
    });
  const cut: Cut = (pid) => (through === url ? killer.sql`select pg_terminate_backend(${pid})` : askForCut());
  process.send?.(await (scenario === 'fail' ? failTransaction : continueTransaction)(sql, cut));
  await Promise.all([close(), killer.close()]);
  process.disconnect();
}

await main(process.argv.slice(2));
