import { request } from 'node:http';
import { connect, type Connection } from '#server/db/connect.ts';
import { createToken } from '#server/features/auth/tokens.ts';
import type { ServerProcess } from '#test/support/serverProcess.ts';
import type { Figure } from './figure.ts';
import { median } from './load.ts';

const rounds = 3;
const sampleEveryMs = 20;

interface Download {
  rows: number;
  seconds: number;
  /** The most resident memory seen while it ran, above what there was before, in millions of bytes. */
  growthMegabytes: number;
}

const newline = 10;

/** Line ends in a chunk; no cell of the benchmark's leads holds one. */
function lines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) count += 1;
  return count;
}

function download(server: ServerProcess, token: string, to: string): Promise<Download> {
  return new Promise((resolve, reject) => {
    const before = server.residentMegabytes();
    let most = before;
    const sampling = setInterval(() => {
      most = Math.max(most, server.residentMegabytes());
    }, sampleEveryMs);
    const startedAt = performance.now();
    let rows = -1; // the head
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: server.port,
        path: `/api/leads.csv?to=${to}`,
        headers: { host: 'localhost', authorization: `Bearer ${token}` },
      },
      (response) => {
        response.on('data', (chunk: Buffer) => {
          rows += lines(chunk);
        });
        response.on('end', () => {
          clearInterval(sampling);
          const seconds = (performance.now() - startedAt) / 1000;
          if (response.statusCode === 200) resolve({ rows, seconds, growthMegabytes: most - before });
          else reject(new Error(`the export answers ${response.statusCode}`));
        });
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** What Postgres itself needs to write the same columns of the same leads in the same order, over the same driver. */
async function copy({ sql }: Connection, to: string): Promise<Omit<Download, 'growthMegabytes'>> {
  const startedAt = performance.now();
  const stream = await sql`
    copy (select l.id, l.created_at, l.first_name, l.last_name, l.email, l.phone, l.zip_code, l.provider_id, p.name, l.crm_sync_status,
      l.acceptance_consent, l.acceptance_message from leads l left join providers p on p.id = l.provider_id
      where l.deleted_at is null and l.created_at < (date '${sql.unsafe(to)}' + 1)::timestamp at time zone 'UTC'
      order by l.created_at desc nulls last, l.id desc nulls last) to stdout with (format csv)`.readable();
  let rows = 0;
  for await (const chunk of stream) rows += lines(chunk as Buffer);
  return { rows, seconds: (performance.now() - startedAt) / 1000 };
}

/** The last whole day before there were so many leads, and how many there were by then. */
async function oldestLeads({ sql }: Connection, wanted: number): Promise<{ to: string; leads: number }> {
  const [found] = await sql<{ to: string; leads: number }[]>`
    with latest as (select (max(created_at) at time zone 'UTC')::date - 1 as day from
      (select created_at from leads where deleted_at is null order by created_at nulls first, id nulls first limit ${wanted}) as oldest)
    select day::text as to, (select count(*)::int from leads where deleted_at is null and created_at < (day + 1)::timestamp at time zone 'UTC') as leads
    from latest`;
  if (found === undefined) throw new Error('there are no leads to export');
  return found;
}

/**
 * (i) So many leads as CSV over HTTP: the rate against Postgres's own COPY, and what it takes of the server's memory.
 */
export async function leadsExport(server: ServerProcess, url: string, wanted: number): Promise<Figure[]> {
  const connection = connect(url, { applicationName: 'bench-exports', max: 1 });
  try {
    const { token } = await createToken(connection.db, {
      name: 'bench',
      scopes: ['leads:read'],
      createdBy: 'bench',
      now: new Date(),
    });
    const { to, leads } = await oldestLeads(connection, wanted);
    const copied: number[] = [];
    const sent: number[] = [];
    const growths: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const baseline = await copy(connection, to);
      const measured = await download(server, token, to);
      for (const { rows } of [baseline, measured])
        if (rows !== leads) throw new Error(`${rows} rows of ${leads} were sent`);
      copied.push(baseline.rows / baseline.seconds);
      sent.push(measured.rows / measured.seconds);
      growths.push(measured.growthMegabytes);
    }
    const size = leads.toLocaleString('en');
    return [
      {
        name: `${size} leads as CSV`,
        measured: median(sent),
        baseline: median(copied),
        unit: 'rows/s',
        against: 'COPY … TO STDOUT of the same columns in the same order',
        bar: { of: 'ratio', sign: '>=', value: 0.5 },
      },
      {
        name: `memory for ${size} leads as CSV`,
        measured: Math.max(...growths),
        baseline: null,
        unit: 'MB',
        against:
          'the most the server’s resident memory grew in one of three runs, the first from a fresh start',
        bar: { of: 'measured', sign: '<=', value: 64 },
      },
    ];
  } finally {
    await connection.close();
  }
}
