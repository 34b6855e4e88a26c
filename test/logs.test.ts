import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testDb } from '#test/support/testDb.ts';
import { freePort } from '#test/support/serverProcess.ts';
import { meets } from '#test/support/meets.ts';

const personal = {
  first_name: 'Quillon',
  last_name: 'Featherstonehaugh',
  email: 'quillon@private.example',
  phone: '(719) 555-0187',
  zip_code: 'ZIP-81999-x',
};
const secrets = [
  ...Object.values(personal),
  '7195550187',
  'Private-Agent',
  'said-in-query',
  'said-in-referer',
];

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const logLine = z.object({
  service: z.literal('clinic-leads'),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  mode: z.literal('web'),
  host: z.literal(hostname()),
  event: z.string().regex(/^[a-z-]+\.[a-z-]+$/),
  traceId: z.string().optional(),
});

/** Sends the same person's lead in every way there is, and finds no SQL or stack trace in a response; returns the statuses. */
async function sendAll(origin: string): Promise<number[]> {
  const headers = {
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    'user-agent': 'Private-Agent/1.0',
    referer: `${origin}/said-in-referer?email=${personal.email}`,
  };
  const json = { ...headers, 'content-type': 'application/json' };
  const lead = JSON.stringify({ ...personal, acceptance_consent: true, acceptance_message: personal.email });
  const { email, phone } = personal;
  const application = JSON.stringify({
    practice_name: personal.last_name,
    contact_name: personal.first_name,
    role: 'Owner',
    email,
    phone,
    zip_code: '81999',
    message: personal.last_name,
    acceptance_consent: true,
  });
  const form = new URLSearchParams({ ...personal, acceptance_consent: 'on' });
  const answers = await Promise.all([
    fetch(`${origin}/api/leads?x=said-in-query`, { method: 'POST', headers: json, body: lead }),
    fetch(`${origin}/trpc/leads.create?x=said-in-query`, { method: 'POST', headers: json, body: lead }),
    fetch(`${origin}/api/leads`, { method: 'POST', headers, body: form, redirect: 'manual' }),
    fetch(`${origin}/api/leads`, { method: 'POST', headers: json, body: `${lead}}` }),
    fetch(`${origin}/api/provider-applications`, { method: 'POST', headers: json, body: application }),
    fetch(`${origin}/?email=${personal.email}&x=said-in-query`, { headers }),
  ]);
  for (const answer of answers)
    expect(await answer.text()).not.toMatch(/insert into|failing row|violates check|node_modules|\.ts:\d/i);
  return answers.map(({ status }) => status);
}

test('the most detailed log contains no personal data, whatever fails', async () => {
  meets('D.people.06 D.errors.16 D.privacy.15 D.privacy.16');
  await using database = await testDb();
  const port = await freePort();
  const child = spawn(process.execPath, ['src/server/main.ts', 'web'], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      DATABASE_URL: database.url,
      PORT: String(port),
      RATE_LIMIT_LEADS: '1000/1m',
      SAMPLE_DATA: 'off',
      LOG_LEVEL: 'trace',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = Promise.all([text(child.stdout), text(child.stderr)]);
  const origin = `http://127.0.0.1:${port}`;
  const { sql } = database;
  try {
    const status = (): Promise<number> =>
      fetch(`${origin}/readyz`).then(
        (answer) => answer.status,
        () => 0,
      );
    await expect.poll(status).toBe(200);
    expect(await sendAll(origin)).toEqual([201, 200, 303, 400, 201, 200]);
    // Postgres reports the whole row that fails a check, and quotes a value that a column can't hold.
    for (const table of ['leads', 'provider_applications'])
      await sql`alter table ${sql(table)} add constraint nobody check (false) not valid`;
    await sql`delete from idempotency_keys`;
    expect(await sendAll(origin)).toEqual([500, 500, 500, 400, 500, 200]);
    for (const table of ['leads', 'provider_applications'])
      await sql`alter table ${sql(table)} drop constraint nobody`;
    // The column that search goes by is made of the name.
    await sql`alter table leads drop column search_text`;
    await sql`alter table leads alter column first_name type integer using 1`;
    await sql`alter table provider_applications alter column contact_name type integer using 1`;
    expect(await sendAll(origin)).toEqual([500, 500, 500, 400, 500, 200]);
    await sql`drop table leads cascade`;
    await sql`drop table provider_applications cascade`;
    expect(await sendAll(origin)).toEqual([500, 500, 500, 400, 500, 200]);
  } finally {
    child.kill('SIGTERM');
  }
  const [stdout, stderr] = await written;
  expect(stdout.match(/"path":"\/(?:api\/leads|trpc\/leads\.create)".*"msg":"request"/g)).toHaveLength(16);
  expect(stdout.match(/"msg":"procedure failed"|"msg":"request failed"/g)).toHaveLength(12);
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => logLine.parse(JSON.parse(line)));
  const traced = (name: string): number =>
    lines.filter(({ event, traceId: id }) => event === name && id === traceId).length;
  expect([traced('request.ended'), traced('procedure.failed') + traced('request.failed')]).toEqual([24, 12]);
  expect(secrets.filter((secret) => `${stdout}${stderr}`.includes(secret))).toEqual([]);
});
