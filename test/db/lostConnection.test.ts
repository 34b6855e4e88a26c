import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { testDb } from '#test/support/testDb.ts';
import { databaseLink, type DatabaseLink } from '#test/tenancy/databaseLink.ts';

/**
 * Runs a scenario of lostConnectionChild.ts and returns what it sent and the status it ended with. `cut` runs when it
 * asks for it. A process that doesn't end is the test's timeout.
 */
async function runChild(
  args: string[],
  cut: () => void = () => undefined,
): Promise<{ status: unknown; sent: unknown }> {
  const child = fork(new URL('lostConnectionChild.ts', import.meta.url), args, { execArgv: [] });
  const ended = once(child, 'exit');
  let sent: unknown = null;
  child.on('message', (message) => {
    if (message === 'cut') {
      cut();
      child.send('cut');
    } else sent = message;
  });
  try {
    const [status]: unknown[] = await ended;
    return { status, sent };
  } finally {
    child.kill('SIGKILL');
  }
}

function loseConnection(
  scenario: 'fail' | 'continue' | 'read' | 'leave',
  { url }: { url: string },
  link?: DatabaseLink,
): Promise<{ status: unknown; sent: unknown }> {
  return runChild([scenario, url, ...(link === undefined ? [] : [link.url(url)])], () => link?.reset());
}

test('a process survives a backend that is terminated inside a transaction', async () => {
  await using database = await testDb();
  expect(await loseConnection('fail', database)).toEqual({
    status: 0,
    sent: { transaction: 'CONNECTION_CLOSED', lateStatement: null, answers: [1, 2, 3, null] },
  });
});

test('after a TCP reset inside a transaction, queries get their own rows', async () => {
  await using database = await testDb();
  await using link = await databaseLink(database.url);
  expect(await loseConnection('fail', database, link)).toEqual({
    status: 0,
    sent: { transaction: 'CONNECTION_CLOSED', lateStatement: null, answers: [1, 2, 3, null] },
  });
});

test('a process survives a connection that is lost while the driver reads types', async () => {
  expect(await runChild(['types'])).toEqual({ status: 0, sent: 'ECONNRESET' });
});

test('a pool that ends while it waits to reconnect stays ended', async () => {
  await using database = await testDb();
  await using link = await databaseLink('postgres://127.0.0.1:1');
  const ended = await runChild(['end', database.url, link.url(database.url)], () => link.lead(database.url));
  expect(ended).toEqual({ status: 0, sent: 'CONNECTION_DESTROYED' });
});

test.each(['terminated', 'reset'])(
  'a transaction whose connection was %s refuses further statements',
  async (how) => {
    await using database = await testDb();
    await using link = await databaseLink(database.url);
    const { sent } = await loseConnection('continue', database, how === 'reset' ? link : undefined);
    expect(sent).toMatchObject({ lateStatement: 'CONNECTION_CLOSED', answers: [1, 2, 3, null] });
  },
);

test.each([
  ['read', 'terminated', ['CONNECTION_CLOSED', 'CONNECTION_CLOSED']],
  ['read', 'reset', ['CONNECTION_CLOSED', 'CONNECTION_CLOSED']],
  ['leave', 'terminated', []],
] as const)(
  'an idle cursor fails and the process lives when its connection is lost (%s, %s)',
  async (scenario, how, reads) => {
    await using database = await testDb();
    await using link = await databaseLink(database.url);
    const answers = [1, 2, 3, null];
    expect(await loseConnection(scenario, database, how === 'reset' ? link : undefined)).toEqual({
      status: 0,
      sent: { reads, answers, later: answers },
    });
  },
);
