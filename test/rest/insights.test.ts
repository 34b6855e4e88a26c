import { describe, expect, test } from 'vitest';
import { leadOutcomes } from '#server/db/schema/index.ts';
import { insightFigures } from '#shared/admin/insights.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { insertDeliveryAttempts, insertLeads } from '#test/support/leadRows.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';

const procedures = [
  'leadsByDay',
  'firstDeliveries',
  'firstContacts',
  'deliveryHealth',
  'demand',
  'formCompletion',
  'summary',
  'providers',
] as const;

function ask(
  app: TestApp,
  procedure: string,
  input: object,
  headers: Record<string, string>,
): Promise<Answer> {
  return app.get(
    `/trpc/admin.insights.${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`,
    headers,
  );
}

const mark = '\ufeff';

/** Three days: two sites and leads on the first, nothing on the second, one on the third. */
async function addLeads({ db }: TestApp): Promise<{ hostile: number; plain: number }> {
  const hostile = await insertProvider(db, { name: `=cmd|'/c calc'!A1`, zipCode: '10016' });
  const plain = await insertProvider(db, { name: 'Gable "End", Ltd', zipCode: '60601' });
  const at = (text: string): Date => new Date(`2026-06-${text}Z`);
  const [first, second, , fourth] = await insertLeads(db, [
    { createdAt: at('01T00:00:00.000'), providerId: plain.id, crmSyncStatus: 'success' },
    {
      createdAt: at('01T10:00:00.000'),
      siteProviderId: hostile.id,
      crmSyncStatus: 'failed',
      zipCode: '10016',
    },
    { createdAt: at('01T23:59:59.999'), siteProviderId: hostile.id, crmSyncStatus: null },
    { createdAt: at('03T12:00:00.000'), siteProviderId: plain.id, zipCode: '00000' },
    { createdAt: at('03T12:00:00.000'), deletedAt: new Date() },
    { createdAt: at('03T12:00:00.000'), quarantinedAt: new Date(), quarantineReason: 'honeypot' },
  ]);
  await db.insert(leadOutcomes).values([
    {
      leadId: first?.id ?? 0,
      providerId: plain.id,
      outcome: 'reached',
      by: 'Clinic',
      at: at('01T00:05:00'),
    },
  ]);
  await insertDeliveryAttempts(db, [
    { leadId: first?.id ?? 0, outcome: 'failed', at: at('01T00:00:01') },
    { leadId: first?.id ?? 0, at: at('01T00:00:06.500') },
    { leadId: second?.id ?? 0, at: at('03T10:00:00') },
    { leadId: fourth?.id ?? 0, outcome: 'failed', at: at('03T12:00:05') },
  ]);
  return { hostile: hostile.id, plain: plain.id };
}

describe('GET /api/insights.csv', () => {
  test('has each figure by day without formulas, and is audited', async () => {
    await using app = await testApp({ now: () => new Date('2026-07-04T10:00:00Z') });
    const { hostile, plain } = await addLeads(app);
    const headers = await getToken(app, ['leads:read']);
    const file = async (figure: string): Promise<string[]> => {
      const answer = await app.get(
        `/api/insights.csv?figure=${figure}&from=2026-06-01&to=2026-06-03`,
        headers,
      );
      expect([answer.status, answer.headers['content-disposition'], answer.headers['cache-control']]).toEqual(
        [200, `attachment; filename="insights-${figure}-2026-07-04.csv"`, 'no-store'],
      );
      expect([answer.text.slice(0, 1), answer.text.slice(-2)]).toEqual([mark, '\r\n']);
      return answer.text.slice(1, -2).split('\r\n');
    };
    expect(await file('leads')).toEqual([
      `day,main,'=cmd|'/c calc'!A1 (#${hostile}),"Gable ""End"", Ltd (#${plain})",total`,
      '2026-06-01,1,2,0,3',
      '2026-06-02,0,0,0,0',
      '2026-06-03,0,0,1,1',
    ]);
    expect(await file('matches')).toEqual([
      'day,total,matched,rate',
      '2026-06-01,3,1,0.3333',
      '2026-06-02,0,0,',
      '2026-06-03,1,0,0.0000',
    ]);
    expect(await file('first-delivery')).toEqual([
      'day,delivered,median_seconds,p95_seconds',
      '2026-06-01,1,6.5,',
      '2026-06-02,0,,',
      '2026-06-03,0,,',
    ]);
    expect(await file('first-contact')).toEqual([
      'day,contacted,median_seconds,p95_seconds',
      '2026-06-01,1,300,300',
      '2026-06-02,0,,',
      '2026-06-03,0,,',
    ]);
    expect(await file('deliveries')).toEqual([
      'day,delivered,failed,crm_pending,crm_success,crm_failed',
      '2026-06-01,1,1,1,1,1',
      '2026-06-02,0,0,0,0,0',
      '2026-06-03,1,1,1,0,0',
    ]);
    const [head, ...areas] = await file('demand');
    expect(head).toBe('zip3,leads,latitude,longitude,nearest_clinic,nearest_miles');
    expect(areas).toEqual([
      '000,1,,,,',
      expect.stringMatching(/^100,1,40\.\d+,-7\d\.\d+,'=cmd\|'\/c calc'!A1,\d\.\d$/),
      expect.stringMatching(/^802,1,39\.\d+,-10\d\.\d+,"Gable ""End"", Ltd",9\d\d\.\d$/),
    ]);
    expect(await file('forms')).toEqual(['day,form,started,zip_entered,sent']);
    expect((await file('pages'))[0]).toBe('first_page,campaign,started,leads,reached,booked');
    const log = await app.sql`select action, detail from audit_log order by id`;
    expect([...log]).toEqual(
      insightFigures.map((figure) => ({
        action: 'insights.export',
        detail: { figure, from: '2026-06-01', to: '2026-06-03' },
      })),
    );
  });

  test('of days without leads has only days; an invalid request is not audited', async () => {
    await using app = await testApp();
    const headers = await signedIn(app, 'viewer');
    const empty = await app.get('/api/insights.csv?figure=leads&from=2026-06-01&to=2026-06-02', headers);
    expect(empty.text).toBe(`${mark}day,total\r\n2026-06-01,0\r\n2026-06-02,0\r\n`);
    const areas = await app.get('/api/insights.csv?figure=demand&from=2026-06-01&to=2026-06-02', headers);
    expect(areas.text).toBe(`${mark}zip3,leads,latitude,longitude,nearest_clinic,nearest_miles\r\n`);
    const before = await app.sql`select 1 from audit_log`;
    for (const query of ['', 'figure=leads', 'figure=odd&from=2026-06-01&to=2026-06-02'])
      expect([query, (await app.get(`/api/insights.csv?${query}`, headers)).status]).toEqual([query, 422]);
    const backwards = await app.get('/api/insights.csv?figure=leads&from=2026-06-02&to=2026-06-01', headers);
    expect(backwards.json()).toMatchObject({
      status: 422,
      errors: { to: 'The end date must not be before the start date' },
    });
    expect(await app.sql`select 1 from audit_log`).toHaveLength(before.length);
  });
});

describe('the figures', () => {
  test('accept up to 366 days and explain an invalid range', async () => {
    await using app = await testApp();
    const headers = await signedIn(app, 'viewer');
    const wrong: [from: string, to: string, field: string, message: string][] = [
      ['2026-06-02', '2026-06-01', 'to', 'The end date must not be before the start date'],
      ['2025-01-01', '2026-01-02', 'from', 'Choose at most 366 days'],
      ['0000-01-01', '0000-01-02', 'from', 'Choose 2000-01-01 or a later day'],
    ];
    for (const procedure of procedures) {
      for (const [from, to, field, message] of wrong) {
        const { status, text } = await ask(app, procedure, { from, to }, headers);
        expect([procedure, status, text.includes(`"errors":{"${field}":"${message}"`)]).toEqual([
          procedure,
          422,
          true,
        ]);
      }
      expect((await ask(app, procedure, { from: '2026-02-30', to: '2026-03-01' }, headers)).status).toBe(422);
      for (const [from, to] of [
        ['2024-01-01', '2024-12-31'],
        ['9999-12-31', '9999-12-31'],
      ] as const)
        expect([procedure, (await ask(app, procedure, { from, to }, headers)).status]).toEqual([
          procedure,
          200,
        ]);
    }
  });

  test('run two at a time; more than three tabs are refused', async () => {
    await using app = await testApp();
    const headers = await signedIn(app, 'viewer');
    const range = { from: '2026-06-01', to: '2026-06-02' };
    const csv = '/api/insights.csv?figure=demand&from=2026-06-01&to=2026-06-02';
    const release = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const holding = app.sql.begin(async (tx) => {
      await tx`lock table delivery_attempts in access exclusive mode`;
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const asked = Array.from({ length: 33 }, () => ask(app, 'firstDeliveries', range, headers));
    const refused = await Promise.race(asked);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10']);
    expect(refused.text).toContain('Other insights are being read. Try again in a few seconds.');
    const file = await app.get(csv, headers);
    expect([file.status, file.headers['content-disposition']]).toEqual([503, undefined]);
    const waiting = () => app.sql`select 1 from pg_locks join pg_stat_activity using (pid)
      where relation = 'delivery_attempts'::regclass and not granted and datname = current_database()`;
    await expect.poll(waiting).toHaveLength(2);
    const stored = await app.post('/api/leads', leadInput(), {});
    expect(stored.status).toBe(201);
    release.resolve();
    await holding;
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect([200, 503].map((status) => statuses.filter((one) => one === status).length)).toEqual([30, 3]);
    expect((await app.get(csv, headers)).status).toBe(200);
  });

  test('stop after ten seconds with a hint', async () => {
    await using app = await testApp();
    // Each process reads two figures at a time.
    await using second = await testApp({ database: app.database });
    await using third = await testApp({ database: app.database });
    const headers = await signedIn(app, 'viewer');
    const range = { from: '2026-06-01', to: '2026-06-02' };
    await app.sql.begin(async (tx) => {
      await tx`lock table leads, delivery_attempts, form_steps in access exclusive mode`;
      const answers = await Promise.all([
        ...procedures.map((procedure, index) =>
          ask([app, second, third][Math.floor(index / 2)] ?? app, procedure, range, headers),
        ),
        third.get('/api/insights.csv?figure=demand&from=2026-06-01&to=2026-06-02', headers),
      ]);
      for (const { status, text, headers: sent } of answers) {
        expect([status, sent['content-disposition']]).toEqual([503, undefined]);
        expect(text).toContain('These figures took too long to load. Choose a shorter period.');
      }
    });
  });
});
