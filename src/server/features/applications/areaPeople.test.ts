import { expect, test } from 'vitest';
import { areaPeople } from '#server/db/schema/index.ts';
import type { LeadInsert } from '#server/db/schema/index.ts';
import { network } from '#shared/brand/map.ts';
import { areaQuestion } from '#shared/brand/recruitment.ts';
import { type AreaAnswer, areaAnswer } from '#shared/applications/areas.ts';
import { dayMs } from '#shared/formats/time.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { waitFor, waitUntil } from '#test/support/waitFor.ts';

const start = Date.parse('2026-06-10T12:00:00Z');
const recent = { createdAt: new Date('2026-06-01T12:00:00Z') };

/** Asks again after a 503, which a busy machine gives once a query takes longer than a visitor waits. */
function ask(app: TestApp, zip: string): Promise<AreaAnswer> {
  return waitFor(async () => {
    const { status, json } = await app.post('/api/areas', { area_zip: zip });
    expect(status).toBe(200);
    return areaAnswer.parse(json());
  });
}

/** The figure once it is stored: an answer doesn't wait for a slow count. */
async function askPeople(app: TestApp, zip: string): Promise<number | null> {
  const { people: first } = await ask(app, zip);
  if (first !== null) return first;
  await waitUntil(async () => (await listFigures(app)).includes(zip.slice(0, 3)));
  return (await ask(app, zip)).people;
}

async function listFigures({ db }: TestApp): Promise<string[]> {
  return (await db.select({ zip3: areaPeople.zip3 }).from(areaPeople)).map(({ zip3 }) => zip3);
}

/** People of their own in Denver. */
function people(count: number, values: Partial<LeadInsert> = {}): Partial<LeadInsert>[] {
  return Array.from({ length: count }, () => ({ ...recent, zipCode: '80202', ...values }));
}

test.each([
  [9, null],
  [10, 10],
  [12, 10],
  [13, 15],
  [22, 20],
])('%i people near an area are shown as %j', async (count, shown) => {
  await using app = await testApp({ now: () => new Date(start) });
  await insertLeads(app.db, people(count));
  expect(await askPeople(app, '80203')).toBe(shown);
});

test('a ZIP code that the table lacks has no area, also if its prefix has a center', async () => {
  await using app = await testApp({ now: () => new Date(start) });
  for (const zip of ['99999', '80200'])
    expect(await ask(app, zip)).toEqual({ zip: null, isValid: true, nearest: null, people: null });
});

test('people count once by mailbox or phone, and only real, recent and near ones', async () => {
  await using app = await testApp({ now: () => new Date(start) });
  const late = new Date(start);
  await insertLeads(app.db, [
    ...people(10),
    // One more person, over three leads, of which the third joins the others.
    { ...recent, zipCode: '80202', email: 'ann.lee@gmail.com', phone: '(303) 555-0101' },
    { ...recent, zipCode: '80302', email: 'bo@example.com', phone: '(303) 555-0102' },
    { ...recent, zipCode: '80202', email: 'annlee+new@gmail.com', phone: '(303) 555-0102' },
    // None of these counts.
    ...people(3, { quarantinedAt: late, quarantineReason: 'honeypot' }),
    ...people(3, { deletedAt: late }),
    ...people(3, { deletedAt: late, erasedAt: late }),
    ...people(3, { createdAt: new Date(start - 91 * dayMs) }),
    ...people(3, { zipCode: '80903' }),
    ...people(3, { zipCode: 'none' }),
  ]);
  expect(await askPeople(app, '80202')).toBe(10);
  const [stored] = await app.db.select().from(areaPeople);
  expect(stored).toMatchObject({ zip3: '802', people: 10 });
  await insertLeads(app.db, people(2));
  await app.sql`delete from area_people`;
  // With the two, thirteen.
  expect(await askPeople(app, '80202')).toBe(15);
});

test('a figure stays for a week, for each ZIP of its area', async () => {
  let at = start;
  await using app = await testApp({ now: () => new Date(at) });
  await insertLeads(app.db, people(10));
  expect(await askPeople(app, '80202')).toBe(10);
  await insertLeads(app.db, people(40));
  at += 6 * dayMs;
  expect([await askPeople(app, '80202'), await askPeople(app, '80203')]).toEqual([10, 10]);
  at += 2 * dayMs;
  await waitFor(async () => expect(await askPeople(app, '80203')).toBe(50));
});

test('a slow count refuses no public read, and equal requests share it', async () => {
  await using app = await testApp({ now: () => new Date(start) });
  const provider = await insertProvider(app.db, { zipCode: '80202' });
  await app.knows(provider);
  await insertLeads(app.db, people(10));
  await app.sql.begin(async (tx) => {
    await tx`lock table leads in access exclusive mode`;
    const answers = await Promise.all(['80202', '80203', '80202', '94110'].map((zip) => ask(app, zip)));
    expect(answers.map(({ nearest }) => nearest?.id)).toEqual(answers.map(() => provider.id));
    expect(answers.map(({ people: shown }) => shown)).toEqual(answers.map(() => null));
    expect((await app.get(`/api/providers/${provider.id}`)).status).toBe(200);
    const counting = await app.sql`
      select from pg_stat_activity where datname = current_database() and query like '%by_mailbox%' and pid <> pg_backend_pid()`;
    expect(counting.length).toBe(1);
  });
  await waitUntil(async () => (await listFigures(app)).length === 2);
  expect((await ask(app, '80203')).people).toBe(10);
});

test('the nearest provider is named at any distance, without contact details', async () => {
  await using app = await testApp();
  const none = await ask(app, '80302');
  expect(none).toEqual({ zip: '80302', isValid: true, nearest: null, people: null });
  const provider = await insertProvider(app.db, {
    zipCode: '10016',
    address: '7 Sample Street, New York, NY',
  });
  await app.knows(provider);
  const { nearest } = await ask(app, '80302-1234');
  expect(nearest).toMatchObject({ id: provider.id, city: 'New York, NY', isWithinReach: false });
  expect(nearest?.distanceMiles).toBeGreaterThan(1_500);
  for (const [zip, isValid] of [
    ['abc', false],
    ['', false],
    ['00001', true],
  ] as const)
    expect(await ask(app, zip)).toEqual({ zip: null, isValid, nearest: null, people: null });
});

test('without script the page answers and fills the ZIP into the application', async () => {
  await using app = await testApp();
  await insertProvider(app.db, { practiceName: 'Nearest Practice', zipCode: '80202' });
  const post = (zip: string) =>
    app.request('POST', '/api/areas', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ area_zip: zip }).toString(),
    });
  const { status, text, headers } = await post('80302');
  expect([status, headers['cache-control'], headers.location]).toEqual([200, 'no-store', undefined]);
  expect(text).toContain('Nearest Practice');
  expect(text).toContain(areaQuestion.apply);
  const inputs = [...text.matchAll(/<input [^>]*name="(area_zip|zip_code)"[^>]*>/g)];
  expect(inputs.map(([tag, name]) => [name, /value="80302"/.test(tag)])).toEqual([
    ['area_zip', true],
    ['zip_code', true],
  ]);
  const wrong = await post('nowhere');
  expect([wrong.status, wrong.text.includes(network.zip.invalid)]).toEqual([200, true]);
});

test('one network asks about twenty areas a minute', async () => {
  await using app = await testApp();
  const statuses: number[] = [];
  for (let at = 0; at < 21; at += 1)
    statuses.push((await app.post('/api/areas', { area_zip: '80202' })).status);
  expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([20, 429]);
});
