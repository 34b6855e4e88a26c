import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from '#server/db/connect.ts';
import { createFormTokens } from '#server/features/submissions/formToken.ts';
import { insertProvider } from '#test/support/factories.ts';
import { type ServerProcess, startServer } from '#test/support/serverProcess.ts';
import type { Figure } from './figure.ts';
import { alternate, load, type LoadRequest, type LoadResult, pacedLoad } from './load.ts';
import { postgresCpuMs } from './postgresCpu.ts';

const concurrency = 32;
const seconds = 3;
const rounds = 7;
/** Until V8 has compiled the code, which takes a fifth of the CPU in the first seconds. */
const warmUpSeconds = 12;
/** As many connections as the server's own pool has. */
const poolSize = 10;
const p99MsMax = 25;
const secretKey = 'benchmark-key-benchmark-key-benchmark';

/** With a CRM that nobody answers for, so that every lead gets all of its deliveries. */
const benchEnvironment = {
  CRM_WEBHOOK_URL: 'http://127.0.0.1:9/',
  CRM_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
  SECRET_KEYS: secretKey,
  // Each request comes from a network of its own.
  TRUSTED_PROXIES: '1',
  LOG_LEVEL: 'error',
};

const issuedAt = new Date(Date.now() - 10_000);
const token = createFormTokens({ keys: [secretKey], now: () => issuedAt }).issue('quiz');
let made = 0;

/** A lead from a form, with a person of its own, for the provider in its ZIP: all of its deliveries are queued. */
function leadRequest(): LoadRequest {
  made += 1;
  const body = JSON.stringify({
    first_name: 'Sam',
    last_name: 'Sample',
    email: `bench-${process.pid}-${made}@example.com`,
    phone: `+1${String(2_000_000_000 + made)}`,
    zip_code: '80202',
    acceptance_consent: true,
    form: 'quiz',
    token,
  });
  const address = `10.${(made >> 16) & 255}.${(made >> 8) & 255}.${made & 255}`;
  const headers = {
    host: 'localhost',
    origin: 'http://localhost',
    'x-forwarded-for': address,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  return { method: 'POST', path: '/api/leads', headers, body };
}

const send = (port: number, forSeconds = seconds): Promise<LoadResult> =>
  load({ port, connections: concurrency, seconds: forSeconds, expectedStatus: 201, request: leadRequest });

async function startBareInserts(databaseUrl: string): Promise<{ port: number } & AsyncDisposable> {
  const child = fork(new URL('./bareInsertServer.ts', import.meta.url), { execArgv: [] });
  child.send({ databaseUrl, connections: poolSize });
  const [message] = (await once(child, 'message')) as [{ port: number }];
  return {
    port: message.port,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

interface Bench {
  databaseUrl: string;
  dataDir: string;
  /** Leads that are stored before the last figure. */
  storedLeads: number;
  addLeads: (count: number) => Promise<void>;
  say: (line: string) => void;
}

interface LeadCost {
  node: number;
  postgres: number;
}

/** CPU milliseconds per lead: the median round, by the sum of both. */
async function cpuPerLead(server: ServerProcess, dataDir: string): Promise<LeadCost> {
  const costs: LeadCost[] = [];
  await send(server.port, warmUpSeconds);
  for (let round = 0; round < rounds; round += 1) {
    const [nodeBefore, postgresBefore] = [server.cpuMs(), postgresCpuMs(dataDir)];
    const { requests } = await send(server.port);
    costs.push({
      node: (server.cpuMs() - nodeBefore) / requests,
      postgres: (postgresCpuMs(dataDir) - postgresBefore) / requests,
    });
  }
  const middle = costs.toSorted((a, b) => a.node + a.postgres - b.node - b.postgres)[Math.floor(rounds / 2)];
  if (middle === undefined) throw new Error('no round was run');
  return middle;
}

function costFigure(name: string, { node, postgres }: LeadCost, max: number): Figure {
  return {
    name,
    measured: node + postgres,
    baseline: null,
    unit: 'ms of CPU',
    against: `Node ${node.toFixed(2)} and Postgres ${postgres.toFixed(2)}, ${concurrency} at a time, WORKER=off`,
    bar: { of: 'measured', sign: '<=', value: max },
  };
}

/** Leads per second of a server with these settings, against the bare inserts, in turns. */
async function leadsPerSecond(
  name: string,
  {
    databaseUrl,
    bare,
    env,
    ratioMin,
  }: { databaseUrl: string; bare: number; env: Record<string, string>; ratioMin: number },
): Promise<Figure> {
  await using server = await startServer({ DATABASE_URL: databaseUrl, ...benchEnvironment, ...env });
  await send(server.port, 1);
  const { measured, baseline } = await alternate(
    rounds,
    () => send(server.port),
    () => send(bare),
  );
  return {
    name,
    measured,
    baseline,
    unit: 'leads/s',
    against: 'node:http and postgres.js inserting one row per request',
    bar: { of: 'ratio', sign: '>=', value: ratioMin },
  };
}

/** The 99th percentile of the time to a response, with requests sent at half the rate that the server reaches. */
async function latencyAtHalfLoad(server: ServerProcess): Promise<Figure> {
  const { perSecond } = await send(server.port);
  const rate = perSecond / 2;
  const paced = (forSeconds: number) =>
    pacedLoad({
      port: server.port,
      perSecond: rate,
      seconds: forSeconds,
      expectedStatus: 201,
      request: leadRequest,
    });
  await paced(1);
  const { p50, p99 } = await paced(seconds * 2);
  return {
    name: 'lead at half load, p99',
    measured: p99,
    baseline: null,
    unit: 'ms',
    against: `${Math.round(rate)} leads/s; median ${p50.toFixed(1)} ms`,
    bar: { of: 'measured', sign: '<=', value: p99MsMax },
  };
}

/** What a lead costs: in CPU, in leads per second beside bare inserts, in latency, and with millions stored. */
export async function leadFigures({
  databaseUrl,
  dataDir,
  storedLeads,
  addLeads,
  say,
}: Bench): Promise<Figure[]> {
  const { db, sql, close } = connect(databaseUrl, { applicationName: 'bench-leads', max: 1 });
  await insertProvider(db, { zipCode: '80202', email: 'clinic@example.com' });
  await using bare = await startBareInserts(databaseUrl);
  const figures: Figure[] = [];
  let cost: LeadCost;
  {
    await using server = await startServer({ DATABASE_URL: databaseUrl, ...benchEnvironment, WORKER: 'off' });
    say('CPU per lead');
    cost = await cpuPerLead(server, dataDir);
    figures.push(costFigure('a lead', cost, 0.75));
    figures.push(await latencyAtHalfLoad(server));
  }
  for (const [name, env, ratioMin] of [
    ['leads stored', { WORKER: 'off' }, 0.15],
    ['leads stored, mail sent by the same process', { WORKER: 'inline' }, 0.09],
    // All are for one provider, so that most are above its limit and wait.
    ['leads stored, with rate limits', { WORKER: 'off', RATE_LIMIT_LEADS: '1000/1m,10000/1h' }, 0.12],
  ] as const) {
    say(name);
    await sql`truncate leads, bench_rows cascade`;
    figures.push(await leadsPerSecond(name, { databaseUrl, bare: bare.port, env, ratioMin }));
  }
  if (storedLeads > 0) {
    say(`CPU per lead with ${storedLeads.toLocaleString('en')} stored`);
    await sql`truncate leads cascade`;
    await addLeads(storedLeads);
    await using server = await startServer({ DATABASE_URL: databaseUrl, ...benchEnvironment, WORKER: 'off' });
    const name = `a lead, with ${storedLeads.toLocaleString('en')} stored`;
    figures.push(costFigure(name, await cpuPerLead(server, dataDir), 1.3 * (cost.node + cost.postgres)));
  }
  await close();
  return figures;
}
