import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { fixtureKey } from './fixtureKey.ts';
import { signWebhook } from '#server/features/outbox/httpResult.ts';
import { cheapHash, testPassword } from '#test/support/staff.ts';
import { mailServer, refusal } from '#scripts/demo/mailServer.ts';
import { answers, startReceiver } from '#test/support/receiver.ts';

/**
 * Makes the database of a released version that upgrades are tested with:
 *
 *     node test/upgrade/makeFixture.ts --product <built checkout of 1.0.0> --to test/upgrade/1.0.0
 *
 * It starts that version's own build, and gives it two thousand leads over HTTP, with a mail server and a CRM that
 * accept, refuse and postpone. What it stored is copied by that version's `npm run backup`. All people are made up.
 */
const { values } = parseArgs({
  options: { product: { type: 'string' }, to: { type: 'string' }, port: { type: 'string', default: '4791' } },
});
const product = resolve(values.product ?? '.');
const target = resolve(values.to ?? 'test/upgrade/1.0.0');
const origin = `http://127.0.0.1:${values.port}`;
const inboundSecret = `whsec_${'A'.repeat(44)}`;
const formAgeMs = 3_500;
const patienceMs = 300_000;

/** Waits until a condition holds. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = Date.now() + patienceMs;
  while (!(await condition())) {
    if (Date.now() > endMs) throw new Error(`not in time: ${String(condition)}`);
    await delay(100);
  }
}

/** How 1.0.0 was given each of the people: by their number. */
const zips = ['80202', '02108', '94103', '73301', '30301', '00001', 'CO 80202', '80202-1234'];
const phones = [
  (line: string) => `303-555-${line}`,
  (line: string) => `(303) 555-${line}`,
  (line: string) => `+1 303 555 ${line}`,
  (line: string) => `303-555-${line} ext. 44`,
  (line: string) => `303-555-${line} after 10am`,
  (line: string) => `1 (303) 555-${line} 1`,
  (line: string) => `+44 20 7946 ${line}`,
];

function getLead(count: number): Record<string, unknown> {
  const line = String(count).padStart(4, '0');
  const localParts = [`kit.${count}`, `Kit.O’Brien${count}`, `kit+tag${count}`, `KIT.${count}`];
  return {
    first_name: ['Kit', 'Émile', 'José', 'Mina'][count % 4],
    last_name: ['Ashgrove', 'O’Connor', 'Núñez', 'Ümit'][(count >> 2) % 4],
    email: `${localParts[count % 4]}@people.example`,
    phone: phones[count % phones.length]?.(line),
    zip_code: zips[count % zips.length],
    acceptance_consent: true,
    acceptance_message: 'I agree to be contacted about the treatment.',
  };
}

interface Product extends AsyncDisposable {
  dataDir: string;
  env: Record<string, string>;
}

async function startProduct(dataDir: string, env: Record<string, string>): Promise<Product> {
  const all = { ...cleanEnv(), ...env, PORT: values.port, DATA_DIR: dataDir, SECRET_KEYS: fixtureKey };
  const child = spawn(join(product, 'node_modules/.bin/node'), ['scripts/start.ts'], {
    cwd: product,
    env: all,
    stdio: 'inherit',
  });
  await until(() =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    dataDir,
    env: all,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((end) => child.once('exit', end));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Without what this shell sets for another version. */
function cleanEnv(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

async function run({ env }: Product, script: string, ...args: string[]): Promise<void> {
  const child = spawn(join(product, 'node_modules/.bin/node'), [join('scripts', script), ...args], {
    cwd: product,
    env,
    stdio: 'inherit',
  });
  const code = await new Promise((end) => child.once('exit', end));
  if (code !== 0) throw new Error(`${script} ended with ${String(code)}`);
}

interface Call {
  method?: string;
  headers?: Record<string, string>;
}

async function call(
  path: string,
  body: unknown,
  { method = 'POST', headers = {} }: Call = {},
): Promise<unknown> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { origin, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return text === '' ? null : JSON.parse(text);
}

async function signIn(): Promise<Record<string, string>> {
  const response = await fetch(`${origin}/trpc/staff.signIn`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ password: testPassword }),
  });
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  if (!response.ok) throw new Error(`sign-in: ${response.status} ${await response.text()}`);
  return { cookie };
}

const created = z.object({ id: z.number() });
const formToken = z.object({ result: z.object({ data: z.object({ token: z.string() }) }) });

/** Sends leads, twenty at a time. Returns their numbers. */
async function sendLeads(leads: readonly Record<string, unknown>[]): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < leads.length; at += 20) {
    const responses = await Promise.all(leads.slice(at, at + 20).map((lead) => call('/api/leads', lead)));
    ids.push(...responses.map((response) => created.parse(response).id));
  }
  return ids;
}

const providers = Array.from({ length: 12 }, (_, at) => ({
  wordpress_id: 9_000 + at,
  name: `Fixture Clinic ${at}`,
  email: at === 3 ? 'gone@clinic.example' : at === 4 ? 'full@clinic.example' : `clinic${at}@clinic.example`,
  zip_code: ['80202', '02108', '94103', '73301', '30301', '80203'][at % 6],
  status: at === 11 ? 'f' : 't',
  phone: `303-555-01${String(at).padStart(2, '0')}`,
}));

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'upgrade-fixture-'));
  await using smtp = await mailServer({
    onRcptTo({ address }, _session, callback) {
      if (address.startsWith('gone@')) return callback(refusal(550, '5.1.1 no such user'));
      if (address.startsWith('full@')) return callback(refusal(552, '5.2.2 mailbox full'));
      return /kit\+tag\d*3@/.test(address) ? callback(refusal(451, '4.7.1 later')) : callback();
    },
  });
  let requests = 0;
  await using crm = await startReceiver((response, received, nth) => {
    requests += 1;
    const status = requests % 40 === 0 ? 401 : requests % 25 === 0 ? 503 : 200;
    answers(status, JSON.stringify({ id: `contact-${requests}` }))(response, received, nth);
  });
  const common = {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    RATE_LIMIT_LEADS: 'off',
    SAMPLE_DATA: 'off',
    LEAD_EMAILS_PER_HOUR: '100000',
    LEDGER_URL: `file://${join(dataDir, 'ledger.jsonl')}`,
    INBOUND_MAIL_ADDRESS: 'stop@reply.example',
    INBOUND_MAIL_SECRET: inboundSecret,
    ADMIN_PASSWORD_HASH: cheapHash(testPassword),
  };
  {
    await using app = await startProduct(dataDir, {
      ...common,
      CRM_WEBHOOK_URL: crm.url,
      CRM_WEBHOOK_SECRET: inboundSecret,
    });
    const file = join(dataDir, 'providers.json');
    await writeFile(file, JSON.stringify(providers));
    await run(app, 'syncProviders.ts', '--file', file);
    await run(app, 'token.ts', 'create', '--scope', 'leads:read', '--name', 'Reports');
    await run(app, 'token.ts', 'create', '--scope', 'leads:write', '--name', 'Old importer');
    await run(app, 'token.ts', 'revoke', '2');
    const staff = { headers: await signIn() };
    for (const role of ['owner', 'manager', 'viewer'])
      await call(
        '/trpc/staffAccounts.create',
        { name: `Fixture ${role}`, email: `${role}@staff.example`, role, password: testPassword },
        staff,
      );
    const answer = await fetch(
      `${origin}/trpc/leads.formToken?input=${encodeURIComponent('{"form":"landing"}')}`,
    );
    const { token } = formToken.parse(await answer.json()).result.data;
    const readyAt = Date.now() + formAgeMs;
    // Leads of scripts first: the token of a form must have an age.
    const byScript = await sendLeads(Array.from({ length: 200 }, (_, at) => getLead(at)));
    await until(() => Date.now() > readyAt);
    const form = { form: 'landing', token };
    const shown = await sendLeads(
      Array.from({ length: 1_500 }, (_, at) => ({ ...getLead(200 + at), ...form })),
    );
    // Repeats, some with another phone, and quarantined ones.
    await sendLeads(
      Array.from({ length: 100 }, (_, at) => ({
        ...getLead(200 + at),
        ...form,
        phone: `720-555-0${100 + at}`,
      })),
    );
    await sendLeads(
      Array.from({ length: 50 }, (_, at) => ({
        ...getLead(1_800 + at),
        ...form,
        website: 'https://spam.example',
      })),
    );
    await sendLeads(
      Array.from({ length: 50 }, (_, at) => ({ ...getLead(1_850 + at), ...form, token: 'forged' })),
    );
    await until(() => smtp.received.length > 2_000);
    await withdraw(smtp);
    await reportBounces(smtp);
    await reportOutcomes(smtp);
    for (const id of shown.slice(600, 620))
      await call(`/api/leads/${id}`, undefined, { method: 'DELETE', ...staff });
    for (const id of shown.slice(620, 640)) await call('/trpc/suppressions.add', { id }, staff);
    for (const id of byScript.slice(0, 10))
      await call(
        `/api/leads/${id}/provider`,
        { providerId: 1, confirmed: true },
        { method: 'PATCH', ...staff },
      );
    await run(app, 'person.ts', 'erase', 'kit.640@people.example', '--yes');
  }
  {
    // Without a CRM, its deliveries are held; what the first process left queued is queued still.
    await using app = await startProduct(dataDir, { ...common, SMTP_URL: '' });
    await sendLeads(Array.from({ length: 100 }, (_, at) => getLead(1_900 + at)));
    await rm(target, { recursive: true, force: true });
    await run(app, 'backup.ts', target, '--method', 'copy');
  }
  await rm(dataDir, { recursive: true, force: true });
}

type Mails = Awaited<ReturnType<typeof mailServer>>;

async function linksIn(smtp: Mails, pattern: RegExp): Promise<string[]> {
  const emails = await Promise.all(smtp.received.map(({ email }) => email));
  return emails.flatMap(({ html = '' }) => pattern.exec(html)?.[1] ?? []);
}

/** Forty people withdraw by the link of their mail program. */
async function withdraw(smtp: Mails): Promise<void> {
  const tokens = await linksIn(smtp, /\/withdraw\/([^"]+)"/);
  for (const token of tokens.slice(0, 40))
    await fetch(`${origin}/api/unsubscribe?token=${token}`, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
    });
}

/** Clinics and people whose mail came back later, and one complaint. */
async function reportBounces(smtp: Mails): Promise<void> {
  const ofClinic = smtp.received.filter(({ to }) => to[0] === 'clinic5@clinic.example').slice(0, 1);
  const ofPeople = smtp.received.filter(({ to }) => to[0]?.endsWith('@people.example')).slice(100, 120);
  for (const [at, { raw, to }] of [...ofClinic, ...ofPeople].entries()) {
    const messageId = /^Message-ID: (\S+)/im.exec(raw)?.[1];
    const report = {
      type: at === 5 ? 'complaint' : 'bounce',
      message_id: messageId,
      recipient: to[0],
      reason: '552 5.2.2 mailbox full',
    };
    const body = JSON.stringify(report);
    const headers = signWebhook({ id: `msg_${at}`, body, secrets: [inboundSecret], now: new Date() });
    await call('/api/mail/inbound', body, { headers });
  }
}

async function reportOutcomes(smtp: Mails): Promise<void> {
  const links = await linksIn(smtp, /"http[^"]+(\/outcome\/[^"]+)"/);
  for (const path of links.slice(0, 60)) {
    const outcome = ['reached', 'booked', 'wrong-area'][links.indexOf(path) % 3] ?? 'reached';
    await fetch(`${origin}${path}`, { method: 'POST', body: new URLSearchParams({ outcome }) });
  }
}

await main();
