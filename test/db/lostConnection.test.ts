import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { testDb } from '#test/support/testDb.ts';
import { databaseLink, type DatabaseLink } from '#test/tenancy/databaseLink.ts';

/** Runs lostConnectionChild.ts, and resets its connections when it asks for it. Rejects when it ends without a result. */
async function runChild(scenario: 'fail' | 'continue', url: string, link?: DatabaseLink): Promise<unknown> {
  const args = [scenario, url, ...(link === undefined ? [] : [link.url(url)])];
  const child = fork(new URL('lostConnectionChild.ts', import.meta.url), args, { execArgv: [] });
  const gone = new AbortController();
  child.once('exit', (code) => gone.abort(new Error(`the process ended with status ${code}`)));
  try {
    for (;;) {
      const [message]: unknown[] = await once(child, 'message', { signal: gone.signal });
      if (message !== 'cut') return message;
      link?.reset();
      child.send('cut');
    }
  } finally {
    child.kill('SIGKILL');
  }
}

test('F1: a process survives a backend that is terminated inside a transaction', async () => {
  await using database = await testDb();
  expect(await runChild('fail', database.url)).toEqual({
    transaction: 'CONNECTION_CLOSED',
    lateStatement: null,
    answers: [1, 2, 3, null],
  });
});

test('F1: after a TCP reset inside a transaction, queries get their own rows', async () => {
  await using database = await testDb();
  await using link = await databaseLink(database.url);
  expect(await runChild('fail', database.url, link)).toEqual({
    transaction: 'CONNECTION_CLOSED',
    lateStatement: null,
    answers: [1, 2, 3, null],
  });
});

test.each(['terminated', 'reset'])(
  'F15: a transaction whose connection was %s refuses further statements',
  async (how) => {
    await using database = await testDb();
    await using link = await databaseLink(database.url);
    const outcome = await runChild('continue', database.url, how === 'reset' ? link : undefined);
    expect(outcome).toMatchObject({ lateStatement: 'CONNECTION_CLOSED', answers: [1, 2, 3, null] });
  },
);
