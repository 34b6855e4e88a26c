import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect, type Sql } from '#server/db/connect.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { createToken } from '#server/features/auth/tokens.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { seededRandom } from '#scripts/sampleData/seededRandom.ts';
import { startRestartablePostgres } from '#test/support/restartablePostgres.ts';
import { ensureBuilt } from '#scripts/build.ts';
import { type DoomedProcesses, type Kills, startKilledProcesses } from './doomedProcesses.ts';
import { startFaultyMailServer } from './faultyMailServer.ts';
import { type FaultyReceiver, startFaultyReceiver } from './faultyReceiver.ts';
import { mailFindings } from './mailFaults.ts';

const senders = 8;
/** Of each sender, so that the storm has time. */
const pauseMs = 400;
/** Postgres is killed at least this often in each way. */
const databaseKillsMin = 2;
const settleMs = 5 * 60_000;

function killed({ processes, backends, servers }: Kills): string {
  return `${processes} processes, ${backends} Postgres sessions and ${servers} Postgres servers killed`;
}

/** Sends one lead until it is taken, as a page does: the same key with every attempt. Returns its number. */
async function sendUntilTaken(processes: DoomedProcesses, apiToken: string): Promise<number> {
  const body = JSON.stringify(leadInput());
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
    // Without it no lead would get an email.
    authorization: `Bearer ${apiToken}`,
  };
  for (;;) {
    try {
      const url = `http://127.0.0.1:${processes.port()}/api/leads`;
      const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) });
      if (answer.status === 201) return ((await answer.json()) as { id: number }).id;
    } catch {
      // Its process was killed.
    }
    await delay(100);
  }
}

function hasKilled({ backends, servers }: Kills): boolean {
  return Math.min(backends, servers) >= databaseKillsMin;
}

/** Sends so many leads, and more until Postgres has been killed often enough. */
async function sendAll(processes: DoomedProcesses, count: number, apiToken: string): Promise<number[]> {
  const ids: number[] = [];
  let left = count;
  const sender = async (): Promise<void> => {
    while (left > 0 || !hasKilled(processes.kills())) {
      left -= 1;
      ids.push(await sendUntilTaken(processes, apiToken));
      await delay(pauseMs);
      if (ids.length % 100 === 0) console.log(`  … ${ids.length} leads sent, ${killed(processes.kills())}`);
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  return ids;
}

/** A second of the storm is hours: waiting retries are made due. */
function skipWaits(sql: Sql): () => void {
  const timer = setInterval(() => {
    sql`update deliveries set next_attempt_at = now() where state = 'queued' and next_attempt_at > now() + interval '2 seconds' and leased_until is null`.catch(
      () => undefined,
    );
  }, 1_000);
  return () => clearInterval(timer);
}

async function printStuck(sql: Sql): Promise<void> {
  const rows = await sql`
    select id, channel, attempts, next_attempt_at, leased_until, reason, now() as now from deliveries
    where state = 'queued' order by next_attempt_at limit 50`;
  console.table(rows.map((row) => ({ ...row })));
}

async function settled(sql: Sql): Promise<void> {
  const deadline = performance.now() + settleMs;
  for (;;) {
    const [row] = await sql<{ left: string }[]>`
      select count(*) as left from deliveries where state = 'queued'`;
    if (Number(row?.left) === 0) return;
    if (performance.now() > deadline) {
      await printStuck(sql);
      throw new Error(`${row?.left} deliveries are still queued`);
    }
    await delay(500);
  }
}

/** What isn't as it should be, in sentences; none: all is well. */
async function faultsFound(sql: Sql, ids: readonly number[], { taken }: FaultyReceiver): Promise<string[]> {
  const stored = await sql<{ id: string; status: string }[]>`select id, crm_sync_status as status from leads`;
  const pushed = await sql<{ id: string; lead_id: string; state: string; reason: string | null }[]>`
    select id, lead_id, state, reason from deliveries where channel = 'crm'`;
  const unique = new Set(ids);
  const takenLeads = new Set([...taken.values()].map(({ leadId }) => leadId));
  const wrongKey = pushed.filter(({ id, lead_id }) => taken.get(id)?.leadId !== Number(lead_id));
  return [
    ...(unique.size === ids.length
      ? []
      : [`${ids.length} leads were sent, ${unique.size} numbers came back`]),
    ...(stored.length === ids.length ? [] : [`${ids.length} leads were sent, ${stored.length} are stored`]),
    ...(pushed.length === ids.length ? [] : [`${ids.length} leads have ${pushed.length} deliveries`]),
    ...pushed
      .filter(({ state }) => state !== 'delivered')
      .map(({ lead_id, state, reason }) => `lead ${lead_id} is ${state}: ${reason ?? ''}`),
    ...stored
      .filter(({ status }) => status !== 'success')
      .map(({ id, status }) => `lead ${id} says ${status}`),
    ...(taken.size === ids.length ? [] : [`the receiver knows ${taken.size} keys`]),
    ...(takenLeads.size === ids.length ? [] : [`the receiver has ${takenLeads.size} leads`]),
    ...wrongKey.map(({ lead_id }) => `lead ${lead_id} came under another key`),
  ];
}

/**
 * Leads by the thousand under a storm: CRM and mail server fail in every way, every process and Postgres are killed
 * again and again. Whatever the seed, each lead is stored once and delivered once by its key, its mails arrive under
 * one Message-ID each, and none is lost. `npm run storm -- --seed 7 --leads 1000`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, leads: { type: 'string' } } });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const count = Number(values.leads ?? 1000);
  console.log(`Seed ${seed}, ${count} leads`);
  const random = seededRandom(seed);
  await ensureBuilt();
  await using postgres = await startRestartablePostgres();
  await prepareDatabase({ url: postgres.url, ownerUrl: null });
  const connection = connect(postgres.url, { applicationName: 'storm', max: 2 });
  try {
    await using receiver = await startFaultyReceiver(seed);
    await using mailServer = await startFaultyMailServer(seed);
    const secrets = { SECRET_KEYS: 'storm-key-storm-key-storm-key-storm-key' };
    const mail = {
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      MAIL_FROM: 'storm@brand.example',
      LEAD_EMAILS_PER_HOUR: '1000000',
    };
    const crm = crmEnvironment(receiver);
    const env = { DATABASE_URL: postgres.url, LOG_LEVEL: 'silent', ...secrets, ...crm, ...mail };
    // Every lead's, so that each is delivered to a provider too.
    await insertProvider(connection.db, { zipCode: '80202' });
    const { token } = await createToken(connection.db, {
      name: 'Storm',
      scopes: ['leads:write'],
      createdBy: 'Storm',
      now: new Date(),
    });
    await using processes = await startKilledProcesses(env, random, postgres);
    const stopHurrying = skipWaits(connection.sql);
    const ids = await sendAll(processes, count, token);
    await delay(5_000);
    await processes.stopKilling();
    console.log(`  … stopKilling after ${killed(processes.kills())}; what is left settles`);
    await settled(connection.sql);
    stopHurrying();
    const repeats = [...receiver.taken.values()].reduce((sum, { times }) => sum + times - 1, 0);
    console.table(Object.fromEntries(receiver.faults));
    console.table(Object.fromEntries(mailServer.faults));
    const mails = await mailFindings(connection.sql, ids.length, mailServer);
    const faults = [...(await faultsFound(connection.sql, ids, receiver)), ...mails.faults];
    for (const fault of faults.slice(0, 20)) console.error(`  ✗ ${fault}`);
    console.log(
      `${mails.lead} mails to leads and ${mails.provider} to providers arrived, ${mails.repeats} repeats under a Message-ID it knew`,
    );
    console.log(
      `${ids.length} leads, ${receiver.taken.size} taken by key, ${repeats} repeats under a key it knew, ${killed(processes.kills())}: ${faults.length === 0 ? 'none lost, none twice' : `${faults.length} FAULTS (seed ${seed})`}`,
    );
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    await connection.close();
  }
}

await main();
