import { expect, test } from 'vitest';
import { formStarts, leadAttribution, type LeadInsert, type LeadRow } from '#server/db/schema/index.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { testDb } from '#test/support/testDb.ts';
import { countVisits, pageRates } from './pageRates.ts';
import { estimateShare } from './proportions.ts';

const range = { from: '2026-06-01', to: '2026-06-02' };

interface Lead {
  /** Of its evidence; left out: a form that a script sent. */
  evidence?: { formKey: 'landing' | 'api'; clientClock: Date | null };
  path?: string;
  campaign?: string;
  values?: Partial<LeadInsert>;
}

test('first pages and campaigns have the starts and leads that SQL counts', async () => {
  await using database = await testDb();
  const { db, sql } = database;
  const { id: providerId } = await insertProvider(db);
  await db.insert(formStarts).values([
    { day: '2026-06-01', form: 'landing', page: '/', campaign: '', count: 300 },
    { day: '2026-06-02', form: 'quiz', page: '/', campaign: 'spring', count: 100 },
    { day: '2026-06-02', form: 'landing', page: '/homev2', campaign: 'spring', count: 200 },
    { day: '2026-06-01', form: 'microsite', page: 'provider-sites', campaign: '', count: 2 },
    { day: '2026-06-03', form: 'landing', page: '/', campaign: '', count: 1_000 },
    { day: '2026-05-31', form: 'landing', page: '/start', campaign: '', count: 1_000 },
  ]);
  const now = new Date();
  const wanted: Lead[] = [
    ...Array.from({ length: 30 }, () => ({ path: '/' })),
    ...Array.from({ length: 10 }, () => ({ path: '/', campaign: 'spring' })),
    ...Array.from({ length: 24 }, () => ({ path: '/homev2', campaign: 'spring' })),
    { path: '/homev2', campaign: 'spring', values: { outcome: 'reached' } },
    { path: '/homev2', campaign: 'spring', values: { outcome: 'booked' } },
    { path: '/providers/co/denver', values: { outcome: 'not-reachable' } },
    { path: '/old-page' },
    { values: { outcome: 'booked' } },
    ...Array.from({ length: 3 }, () => ({ path: '/', values: { siteProviderId: providerId } })),
    ...['/?providerId=7', '/microsite?providerId=7'].map((path) => ({ path })),
    { path: '/start?providerId=7' },
    // None of these counts. An API client, a plain form, and an API client that names a page have no start.
    { path: '/', evidence: { formKey: 'api', clientClock: null } },
    { evidence: { formKey: 'landing', clientClock: null } },
    { path: '/homev2', evidence: { formKey: 'api', clientClock: now } },
    { path: '/', values: { deletedAt: now } },
    { path: '/', values: { quarantinedAt: now, quarantineReason: 'honeypot' } },
    { path: '/', values: { createdAt: new Date('2026-06-03T00:00:00Z') } },
    { path: '/', values: { createdAt: new Date('2026-05-31T23:59:59Z') } },
  ];
  const leads: LeadRow[] = [];
  for (const { values, evidence } of wanted)
    leads.push(await insertAgreed(db, values, { formKey: 'landing', clientClock: now, ...evidence }));
  await db.insert(leadAttribution).values(
    wanted.flatMap(({ path, campaign }, at) => {
      const { id: leadId = 0 } = leads[at] ?? {};
      if (path === undefined) return [];
      const touch = { leadId, landingPath: path, utmCampaign: campaign ?? null };
      return [
        { ...touch, touch: 'first' as const },
        { leadId, touch: 'last' as const, landingPath: '/start', utmCampaign: 'another' },
      ];
    }),
  );
  const { pages, campaigns } = await pageRates(db, range);
  expect(
    pages.map(({ name, starts, leads: sent, reached, booked }) => [name, starts, sent, reached, booked]),
  ).toEqual([
    ['/', 400, 40, 0, 0],
    ['/homev2', 200, 26, 2, 1],
    ['provider-sites', 2, 5, 0, 0],
    ['/providers', 0, 1, 0, 0],
    ['/start', 0, 1, 0, 0],
    ['other', 0, 1, 0, 0],
    ['unknown', 0, 1, 1, 1],
  ]);
  expect(campaigns.map(({ name, starts, leads: sent }) => [name, starts, sent])).toEqual([
    ['', 302, 39],
    ['spring', 300, 36],
  ]);
  const [most, variant, sites] = pages;
  const unknown = pages.at(-1);
  expect(most?.rate).toEqual(estimateShare(40, 400));
  expect([most?.comparison, unknown?.rate, unknown?.comparison]).toEqual([null, null, null]);
  expect(variant?.comparison).toEqual({ verdict: 'open', neededSuccesses: expect.any(Number) });
  // More leads than counted starts, as of a day that began before midnight, have no rate.
  expect([sites?.rate, sites?.comparison]).toEqual([null, null]);
  const [counted] = await sql`
    select count(*)::int as leads, count(*) filter (where outcome in ('reached', 'booked'))::int as reached from leads
    join lead_attribution on lead_id = leads.id and touch = 'first'
    join consent_records on consent_records.lead_id = leads.id and form_key = 'landing' where landing_path = '/homev2'
      and deleted_at is null and quarantined_at is null and created_at >= '2026-06-01Z' and created_at < '2026-06-03Z'`;
  expect(counted).toEqual({ leads: variant?.leads, reached: variant?.reached });
  const visits = await countVisits(db, range);
  expect(visits.find(({ page, campaign }) => page === '/' && campaign === 'spring')).toEqual({
    ...{ page: '/', campaign: 'spring', starts: 100 },
    ...{ leads: 10, reached: 0, booked: 0 },
  });
});

test('leads from before starts were counted don’t raise the rate', async () => {
  await using database = await testDb();
  const { db } = database;
  const evidence = { clientClock: new Date() };
  await insertAgreed(db, { createdAt: new Date('2026-06-01T23:00:00Z') }, evidence);
  expect(await countVisits(db, range)).toEqual([]);
  await insertAgreed(db, { createdAt: new Date('2026-06-02T01:00:00Z') }, evidence);
  await db
    .insert(formStarts)
    .values({ day: '2026-06-02', form: 'landing', page: 'unknown', count: 4, campaign: '' });
  expect(await countVisits(db, range)).toMatchObject([{ page: 'unknown', starts: 4, leads: 1 }]);
});
