import { expect, test } from 'vitest';
import { formStarts, formSteps } from '#server/db/schema/index.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { signedIn } from '#test/support/staff.ts';
import { type Client, testApp, type TestApp } from '#test/support/testApp.ts';

/** The counts of every form and step. */
async function counts({ services, db }: TestApp): Promise<Record<string, number>> {
  await services.submissions.formSteps.store();
  const rows = await db.select().from(formSteps);
  return Object.fromEntries(rows.map(({ form, step, count }) => [`${form} ${step}`, count]));
}

test('the steps of a form are counted by day and form, and nothing else is stored', async () => {
  await using app = await testApp();
  await app.get('/api/leads/token?form=quiz');
  await app.get('/api/leads/token?form=quiz');
  const zip = await app.post('/trpc/leads.zipEntered', { form: 'quiz' });
  expect([zip.status, zip.headers['set-cookie']]).toEqual([200, undefined]);
  expect(
    (await app.post('/trpc/leads.create', leadInput({ form: 'quiz', token: formToken('quiz') }))).status,
  ).toBe(200);
  expect(await counts(app)).toEqual({ 'quiz started': 2, 'quiz zip': 1, 'quiz sent': 1 });
  const columns =
    await app.sql`select column_name from information_schema.columns where table_name = 'form_steps'`;
  expect(columns.map(({ column_name: name }) => String(name)).toSorted()).toEqual([
    'count',
    'day',
    'form',
    'step',
  ]);
});

test('a start is counted by first page and campaign, without addresses', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db, { domain: 'starts.example.com' });
  await app.knows(provider);
  const start = (query: string, site: Client = app) => site.get(`/api/leads/token?form=landing&${query}`);
  await start('page=/homev2&campaign=spring');
  await start('page=/homev2&campaign=spring');
  await start('page=/providers/co/denver');
  await start('page=/wp-login.php&campaign=ann@example.com');
  await start('');
  await start('page=/', app.as(provider));
  // What a page names itself, and a provider's site on the main domain.
  for (const page of ['other', 'unknown', 'provider-sites', '/?providerId=7', '/microsite?providerId=7'])
    await start(`page=${encodeURIComponent(page)}`);
  await app.get('/api/leads/token?form=api&page=/');
  for (let at = 0; at < 205; at += 1) await start(`page=/&campaign=c${at}`);
  await app.services.submissions.formSteps.store();
  const rows = await app.db.select().from(formStarts).orderBy(formStarts.page, formStarts.campaign);
  const listed = rows.map(({ page, campaign, count }) => [page, campaign, count]);
  expect(listed.filter(([page]) => page !== '/')).toEqual([
    ['/homev2', 'spring', 2],
    ['/providers', '', 1],
    ['other', '', 2],
    ['provider-sites', '', 4],
    ['unknown', '', 2],
  ]);
  // Two hundred names a day, spring among them.
  expect(listed.filter(([page]) => page === '/')).toHaveLength(200);
  expect(listed).toContainEqual(['/', '(others)', 6]);
  expect(await counts(app)).toEqual({ 'landing started': 216 });
});

test('scripts, plain posts, repeats and submissions without a token count as no form', async () => {
  await using app = await testApp();
  await app.get('/api/leads/token?form=api');
  expect((await app.post('/trpc/leads.zipEntered', { form: 'api' })).status).toBe(422);
  expect((await app.post('/trpc/leads.zipEntered', { form: 'quiz', zip: 7 })).status).toBe(200);
  await app.post('/api/leads', leadInput());
  await app.post('/trpc/leads.create', leadInput({ form: 'landing' }));
  const lead = leadInput({ form: 'landing', token: formToken('landing') });
  const key = { 'idempotency-key': 'a-repeated-submission' };
  for (let repeat = 0; repeat < 2; repeat += 1) await app.post('/trpc/leads.create', lead, key);
  expect(await counts(app)).toEqual({ 'quiz zip': 1, 'landing sent': 1 });
});

test('staff read them for a range of days, with a row per form', async () => {
  await using app = await testApp();
  await insertProvider(app.db);
  await app.db.insert(formSteps).values([
    { day: '2026-06-01', form: 'quiz', step: 'started', count: 5 },
    { day: '2026-06-01', form: 'quiz', step: 'sent', count: 1 },
    { day: '2026-06-02', form: 'quiz', step: 'started', count: 3 },
    { day: '2026-06-03', form: 'quiz', step: 'started', count: 100 },
    { day: '2026-05-31', form: 'landing', step: 'zip', count: 100 },
  ]);
  const headers = await signedIn(app, 'viewer');
  const input = encodeURIComponent(JSON.stringify({ from: '2026-06-01', to: '2026-06-02' }));
  expect((await app.get(`/trpc/admin.insights.formCompletion?input=${input}`)).status).toBe(401);
  const answer = await app.get(`/trpc/admin.insights.formCompletion?input=${input}`, headers);
  const none = { started: 0, zip: 0, sent: 0 };
  expect(answer.json()).toEqual({
    result: {
      data: {
        forms: [
          { form: 'landing', ...none },
          { form: 'microsite', ...none },
          { form: 'quiz', started: 8, zip: 0, sent: 1 },
          { form: 'find', ...none },
        ],
      },
    },
  });
  const file = await app.get('/api/insights.csv?figure=forms&from=2026-06-01&to=2026-06-03', headers);
  expect(file.text.slice(1)).toBe(
    'day,form,started,zip_entered,sent\r\n2026-06-01,quiz,5,0,1\r\n2026-06-02,quiz,3,0,0\r\n2026-06-03,quiz,100,0,0\r\n',
  );
});
