import { expect, test } from 'vitest';
import { z } from 'zod';
import { releaseOverLimit } from '#server/features/leads/intake/releaseOverLimit.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { insertHistory } from '#test/support/leadRows.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';

const minuteMs = 60_000;
const tokenOutput = z.object({ token: z.string() });
const leadOutput = z.object({ id: z.number(), providerId: z.number() });
const zips = ['80202', '10001', '60601', '98101', '33101', '75201', '02108', '94103'] as const;

/** The product with its default limits behind one proxy, with a clock that only the test moves. */
async function openCrowd(): Promise<{ app: TestApp; clock: { ms: number } }> {
  const clock = { ms: Date.now() };
  const env = { RATE_LIMIT_LEADS: '5/1m,20/1h', TRUSTED_PROXIES: '1' };
  return { app: await testApp({ env, now: () => new Date(clock.ms) }), clock };
}

interface Visitor {
  ip: string;
  zip: string;
}

/** Each visitor opens the form, fills it in within half a minute and sends it. Returns the leads that were stored. */
async function visit(app: TestApp, clock: { ms: number }, visitors: readonly Visitor[]) {
  const from = (ip: string) => ({ 'x-forwarded-for': ip });
  const tokens = await Promise.all(
    visitors.map(async ({ ip }) => {
      const answer = await app.get('/api/leads/token?form=quiz', from(ip));
      return tokenOutput.parse(answer.json()).token;
    }),
  );
  clock.ms += minuteMs / 2;
  return Promise.all(
    visitors.map(async ({ ip, zip }, index) => {
      const input = leadInput({ form: 'quiz', token: tokens[index], zip_code: zip });
      const headers = { ...from(ip), 'sec-fetch-site': 'same-origin', origin: app.url };
      const answer = await app.post('/api/leads', input, headers);
      expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('"providerId"')]);
      return leadOutput.parse(answer.json());
    }),
  );
}

/** How many leads wait above a limit, and how many are queued for their provider and person. */
async function countLeads({ sql }: TestApp) {
  const [row] = await sql`
    select count(*) filter (where quarantine_reason = 'over-limit')::int as waiting,
      count(*) filter (where quarantine_reason <> 'over-limit')::int as quarantined,
      count(*) filter (where exists (select from deliveries where lead_id = leads.id and channel = 'provider-email'))::int as to_provider,
      count(*) filter (where exists (select from deliveries where lead_id = leads.id and channel = 'lead-email'))::int as to_person,
      (select count(*)::int from consent_records where form_key = 'quiz' and ms_from_render is not null) as shown
    from leads where email <> 'past@example.com'`;
  return row;
}

/** Lets four hours pass as the worker sees them, and returns how many leads left the queue. */
async function passFourHours(app: TestApp, clock: { ms: number }): Promise<number> {
  let released = 0;
  for (const until = clock.ms + 240 * minuteMs; clock.ms < until; clock.ms += 10 * minuteMs)
    released += await releaseOverLimit(app.services);
  return released;
}

function delivered(count: number) {
  return { waiting: 0, quarantined: 0, to_provider: count, to_person: count, shown: count };
}

test('of 200 people behind one carrier’s address none is refused, quarantined or late', async () => {
  const { app, clock } = await openCrowd();
  await using _ = app;
  for (const zipCode of zips) await insertProvider(app.db, { zipCode });
  const crowd = Array.from({ length: 200 }, (_person, nth) => ({
    ip: '203.0.113.77',
    zip: zips[nth % zips.length] ?? zips[0],
  }));
  // Within minutes, forty at a time.
  const stored = new Set<number>();
  for (let first = 0; first < crowd.length; first += 40)
    for (const { id } of await visit(app, clock, crowd.slice(first, first + 40))) stored.add(id);
  expect(stored.size).toBe(200);
  const { waiting, ...others } = (await countLeads(app)) ?? {};
  expect(others).toMatchObject({ quarantined: 0, shown: 200 });
  expect(await passFourHours(app, clock)).toBe(waiting);
  expect(await countLeads(app)).toEqual(delivered(200));
});

test('a campaign’s best hour arrives at once with a history, else within four hours', async () => {
  const { app, clock } = await openCrowd();
  await using _ = app;
  const [busy, fresh] = [
    await insertProvider(app.db, { zipCode: '80202' }),
    await insertProvider(app.db, { zipCode: '10001' }),
  ];
  await insertHistory(app.database, {
    ...{ providerId: busy.id, hours: 40, perHour: 30, until: new Date(clock.ms) },
  });
  const crowd = (count: number, zip: string, network: number) =>
    Array.from({ length: count }, (_person, nth) => ({ ip: `198.${network}.${nth}.9`, zip }));
  for (const { providerId } of await visit(app, clock, crowd(150, '80202', 51)))
    expect(providerId).toBe(busy.id);
  expect(await countLeads(app)).toEqual(delivered(150));
  for (const { providerId } of await visit(app, clock, crowd(60, '10001', 52)))
    expect(providerId).toBe(fresh.id);
  expect(await countLeads(app)).toMatchObject({ waiting: 40, quarantined: 0, to_provider: 170, shown: 210 });
  expect(await passFourHours(app, clock)).toBe(40);
  expect(await countLeads(app)).toEqual(delivered(210));
});
