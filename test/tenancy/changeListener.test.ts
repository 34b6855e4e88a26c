import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { createLog } from '#server/log.ts';
import { listenerReconnects } from '#server/metrics.ts';
import { createChangeListener } from '#server/tenant/changeListener.ts';
import { testDb } from '../support/testDb.ts';
import { databaseLink } from './databaseLink.ts';
import { killListeners } from './directories.ts';
import { waitFor } from '#test/support/waitFor.ts';

interface RecorderOptions {
  onListening?: () => Promise<void>;
  heartbeat?: { everyMs: number; timeoutMs: number };
}

function recorder(url: string, { onListening = () => Promise.resolve(), heartbeat }: RecorderOptions = {}) {
  const { sql, close } = connect(url, { applicationName: 'listener-test', max: 1 });
  const events: string[] = [];
  const listener = createChangeListener({
    sql,
    log: createLog('silent'),
    channel: 'test_channel',
    ...(heartbeat === undefined ? {} : { heartbeat }),
    async onListening() {
      await onListening();
      events.push('listening');
    },
    onNotification: (payload) => void events.push(payload),
    onLost: () => void events.push('lost'),
  });
  return {
    events,
    listener,
    async [Symbol.asyncDispose]() {
      await listener.stop();
      await close();
    },
  };
}

test('a silent connection is detected and replaced', async () => {
  await using database = await testDb();
  await using link = await databaseLink(database.url);
  await using own = recorder(link.url(database.url), {
    heartbeat: { everyMs: 50, timeoutMs: 1_500 },
  });
  await own.listener.start();
  link.freeze();
  // Connections that fail in the meantime are lost, too.
  await waitFor(() => expect(own.events.slice(0, 2)).toEqual(['listening', 'lost']));
  link.thaw();
  await waitFor(() => expect(own.events.at(-1)).toBe('listening'));
  await database.sql`select pg_notify('test_channel', 'heard')`;
  await waitFor(() => expect(own.events.at(-1)).toBe('heard'));
});

/** Of all listeners of this file. */
async function reconnects(): Promise<number> {
  const { values } = await listenerReconnects.get();
  return values.find(({ labels }) => labels.channel === 'test_channel')?.value ?? 0;
}

test('a listener that cannot read what it missed restarts until it can', async () => {
  await using database = await testDb();
  let failures = 3;
  await using own = recorder(database.url, {
    onListening: () => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new Error('not yet')) : Promise.resolve();
    },
  });
  const before = await reconnects();
  await own.listener.start();
  expect(own.events).toEqual(['lost', 'lost', 'lost', 'listening']);
  expect((await reconnects()) - before).toBe(3);
});

test('a requested restart and a killed backend both open a new connection', async () => {
  await using database = await testDb();
  await using own = recorder(database.url);
  await own.listener.start();
  own.listener.restart(new Error('asked for'));
  await waitFor(() => expect(own.events).toEqual(['listening', 'lost', 'listening']));
  await killListeners(database);
  await waitFor(() => expect(own.events).toEqual(['listening', 'lost', 'listening', 'lost', 'listening']));
  await database.sql`select pg_notify('test_channel', 'heard')`;
  await waitFor(() => expect(own.events.at(-1)).toBe('heard'));
});

test('a stopped listener leaves no connection behind', async () => {
  await using database = await testDb();
  const own = recorder(database.url);
  await own.listener.start();
  await own[Symbol.asyncDispose]();
  await turn();
  await waitFor(async () => expect(await killListeners(database)).toBe(0));
  expect(own.events).toEqual(['listening', 'lost']);
});
