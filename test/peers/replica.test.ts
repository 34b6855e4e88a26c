import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { runCommand } from '#test/support/command.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { sendLead } from '#test/support/leadList.ts';
import { startServer } from '#test/support/serverProcess.ts';
import { getToken } from '#test/support/staff.ts';
import { startStreamingReplica, type StreamingReplica } from '#test/support/streamingReplica.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { testSecret } from '#test/support/testKeys.ts';

let servers: StreamingReplica;
beforeAll(async () => {
  servers = await startStreamingReplica();
});
afterAll(() => servers[Symbol.asyncDispose]());

const watch = { upEveryMs: 100, downEveryMs: 50, lateAfterMs: 10_000 };

async function appWithReplica(): Promise<TestApp> {
  const { sql, db, health, close } = connect(servers.primaryUrl, { applicationName: 'test', max: 2 });
  const database = { url: servers.primaryUrl, sql, db, health, [Symbol.asyncDispose]: close };
  const env = { DATABASE_URL: servers.primaryUrl, DATABASE_REPLICA_URL: servers.replicaUrl };
  const app = await testApp({ database, env, watch });
  return {
    ...app,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await close();
    },
  };
}

/** How many leads each place shows: an export, insights, the check of the evidence, and the dashboard's list. */
async function leadsSeen(app: TestApp): Promise<Record<string, number>> {
  const token = await getToken(app, ['leads:read']);
  const file = await app.get('/api/leads.csv', token);
  const today = new Date().toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const insights = await app.get(`/api/insights.csv?figure=matches&from=${yesterday}&to=${today}`, token);
  expect([file.status, insights.status]).toEqual([200, 200]);
  const ofDays = insights.text.trimEnd().split('\r\n').slice(1);
  const { output } = await runCommand('consentVerify', [], {
    DATABASE_URL: servers.primaryUrl,
    DATABASE_REPLICA_URL: servers.replicaUrl,
    SECRET_KEYS: testSecret,
  });
  const list = await app.get('/api/leads', token);
  const { total } = Object(list.json()) as { total: number };
  return {
    file: file.text.trimEnd().split('\r\n').length - 1,
    insights: ofDays.reduce((sum, line) => sum + Number(line.split(',')[1]), 0),
    evidence: Number(/(\d+) consent records/.exec(output)?.[1]),
    list: total,
  };
}

describe('with a streaming replica', () => {
  test('exports, insights and verification read it, and lists read the primary', async () => {
    await using app = await appWithReplica();
    await insertProvider(app.db, { zipCode: '80202' });
    await sendLead(app);
    await servers.catchUp();
    const before = await leadsSeen(app);
    expect(before).toEqual({ file: 1, insights: 1, evidence: 1, list: 1 });
    await servers.pause();
    await sendLead(app);
    expect(await leadsSeen(app)).toEqual({ ...before, list: 2 });
    await servers.catchUp();
    expect(await leadsSeen(app)).toEqual({ file: 2, insights: 2, evidence: 2, list: 2 });
  });

  test('while it is away, they read the primary, and it is used again when it returns', async () => {
    await using app = await appWithReplica();
    await servers.catchUp();
    const { list: known = 0 } = await leadsSeen(app);
    await servers.stopReplica();
    await sendLead(app);
    const all = known + 1;
    expect(await leadsSeen(app)).toEqual({ file: all, insights: all, evidence: all, list: all });
    await servers.startReplica();
    await servers.catchUp();
    await servers.pause();
    await sendLead(app);
    await expect.poll(async () => (await leadsSeen(app))['file'], { interval: 200 }).toBe(all);
    await servers.catchUp();
  });

  test('a URL with the standby first writes to the primary', async () => {
    const { sql, close } = connect(servers.urlOf('replica', 'primary'), { applicationName: 'test', max: 2 });
    const states = await Promise.all(
      [1, 2].map(() => sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`),
    );
    expect(states.flat()).toEqual([{ standby: false }, { standby: false }]);
    await close();
  });

  test('a process with two hosts stores leads after the standby is promoted', async () => {
    await servers.catchUp();
    await using server = await startServer({
      DATABASE_URL: servers.urlOf('nobody', 'primary', 'replica'),
      SECRET_KEYS: testSecret,
    });
    const send = async (): Promise<number> => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/api/leads`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(leadInput()),
      });
      return answer.status;
    };
    expect(await send()).toBe(201);
    await servers.failOver();
    await expect.poll(send, { interval: 200 }).toBe(201);
    const { sql, close } = connect(servers.replicaUrl, { applicationName: 'test', max: 1 });
    expect(await sql`select 1 from leads where id = (select max(id) from leads)`).toHaveLength(1);
    await close();
  });
});
