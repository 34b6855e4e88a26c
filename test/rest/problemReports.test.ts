import { describe, expect, test } from 'vitest';
import { alerts, auditLog, problemReports } from '#server/db/schema/index.ts';
import { claims } from '#shared/brand/claims.ts';
import { problemTexts } from '#shared/brand/trust/plainTalk.ts';
import type { Claim } from '#shared/claims/claim.ts';
import { problemAnchor } from '#shared/pages/paths.ts';
import { problemFormKey } from '#shared/claims/problemFields.ts';
import { honeypotName } from '#shared/leads/quarantine.ts';
import { insertProvider } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { signedIn } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';

/** What a page says to its readers, in lower case. */
function readableText(html: string): string {
  return html
    .replaceAll(/<(script|style)\b.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
}

const path = '/api/problem-reports';
const typed = { what: 'My skin\nburned.', contact: 'mina.q@mail.example', claim: 'no-adverse-effects' };
const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost' };

function send(app: Pick<TestApp, 'post'>, fields: Record<string, string>, headers = form) {
  const body = { token: formToken(problemFormKey), ...typed, ...fields };
  return app.post(path, new URLSearchParams(body).toString(), headers);
}

test('a report without script flags its claim, and its alert says nothing typed', async () => {
  await using app = await testApp();
  const answer = await send(app, {});
  expect([answer.status, answer.headers.location]).toEqual([303, `/study?reported=true#${problemAnchor}`]);
  expect((await app.get('/study?reported=true')).text).toContain(problemTexts.received);
  expect(await app.db.select().from(problemReports)).toMatchObject([
    {
      claimId: typed.claim,
      what: typed.what,
      contact: typed.contact,
      host: 'localhost',
      quarantineReason: null,
    },
  ]);
  const raised = await app.db.select().from(alerts);
  expect(raised).toMatchObject([{ kind: 'problem-reported', subject: typed.claim }]);
  expect(JSON.stringify(raised)).not.toMatch(/burned|mina/);

  const [manager, viewer] = [await signedIn(app), await signedIn(app, 'viewer')];
  const list = async () => (await app.get('/trpc/admin.claims.list', viewer)).text;
  expect(await list()).toMatch(/"id":"no-adverse-effects"[^}]*"reports":1/);
  expect((await app.get('/trpc/admin.claims.listProblems?input={}', viewer)).status).toBe(403);
  const reports = (await app.get('/trpc/admin.claims.listProblems?input={}', manager)).json();
  expect(reports).toMatchObject({
    result: { data: { reports: [{ what: typed.what, contact: typed.contact, isSuspect: false }], total: 1 } },
  });

  const [{ id } = { id: 0 }] = await app.db.select().from(problemReports);
  const complete = () => app.post('/trpc/admin.claims.completeProblem', { id }, manager);
  expect((await complete()).status).toBe(200);
  expect((await complete()).status).toBe(404);
  expect(await list()).not.toMatch(/"reports":1/);
  expect(await app.db.$count(alerts)).toBe(0);
  expect(await app.db.select().from(auditLog)).toMatchObject([
    { action: 'problem.complete', subjectKind: 'problem', subjectId: String(id) },
  ]);
});

test('the alert of a claim stays open until its last report is completed', async () => {
  await using app = await testApp();
  const manager = await signedIn(app);
  for (const what of ['One', 'Two']) expect((await send(app, { what })).status).toBe(303);
  const rows = await app.db.select().from(problemReports);
  for (const { id } of rows) {
    expect(await app.db.$count(alerts)).toBe(1);
    await app.post('/trpc/admin.claims.completeProblem', { id }, manager);
  }
  expect(rows).toHaveLength(2);
  expect(await app.db.$count(alerts)).toBe(0);
});

test('a flood of spam hides no report, and the newest report is first', async () => {
  await using app = await testApp();
  const report = (what: string, day: number) => ({
    what,
    host: 'localhost',
    createdAt: new Date(day * 86_400_000),
  });
  const spam = Array.from({ length: 120 }, (_, at) => ({
    ...report('Spam', at),
    quarantineReason: 'honeypot' as const,
  }));
  await app.db.insert(problemReports).values([...spam, report('Old', 200), report('New', 201)]);
  const { text } = await app.get('/trpc/admin.claims.listProblems?input={}', await signedIn(app));
  const listed = [...text.matchAll(/"what":"(\w+)"/g)].map(([, what]) => what);
  expect(listed.slice(0, 3)).toEqual(['New', 'Old', 'Spam']);
});

test('a report can name each claim that its host’s pages make, and no other', async () => {
  await using app = await testApp();
  const [plain, financing] = await Promise.all(
    [false, true].map((acceptsFinancing) => insertProvider(app.db, { acceptsFinancing })),
  );
  // Both sites are there before their pages are compared.
  for (const provider of [plain, financing]) if (provider !== undefined) await app.knows(provider);
  const main = ['/', '/homev2', `/?providerId=${financing?.id}`];
  const registry: readonly Claim[] = claims;
  for (const [host, study, pages] of [
    [app, '/study', main],
    [app, '/study?from=clinics', [...main, '/clinics']],
    [plain && app.as(plain), '/study', ['/']],
    [financing && app.as(financing), '/study?from=clinics', ['/']],
  ] as const) {
    if (host === undefined) throw new Error('No provider was inserted');
    const texts = await Promise.all(pages.map(async (page) => readableText((await host.get(page)).text)));
    const made = registry.filter(({ says }) =>
      says.some((phrase) => texts.join(' ').includes(phrase.toLowerCase())),
    );
    const { text } = await host.get(study);
    const named = [...text.matchAll(/<option value="([a-z-]+)"/g)].map(([, id]) => id);
    expect(named).toEqual(made.map(({ id }) => id));
  }
});

test('a report from a provider’s site is one too, and an unknown claim is left out', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db);
  await app.knows(provider);
  const origin = `http://${provider.domain ?? ''}`;
  const answer = await send(app.as(provider), { claim: 'nothing', contact: ' ' }, { ...form, origin });
  expect(answer.status).toBe(303);
  expect(await app.db.select().from(problemReports)).toMatchObject([
    { claimId: null, contact: null, host: provider.domain, quarantineReason: null },
  ]);
  expect(await app.db.select().from(alerts)).toMatchObject([{ kind: 'problem-reported', subject: '' }]);
});

test('a page without the text shows the form again with what was typed', async () => {
  await using app = await testApp();
  const { status, text } = await send(app, { what: ' ' });
  expect(status).toBe(422);
  expect(text).toContain(`value="${typed.contact}"`);
  expect(text).toContain(problemTexts.title);
  expect(await app.db.$count(problemReports)).toBe(0);
});

describe('what looks like spam is stored, looks accepted and raises no alert', () => {
  test.each([
    ['a filled honeypot', { [honeypotName]: 'x' }, form],
    ['a forged token', { token: 'AAAA' }, form],
    ['another site’s page', {}, { ...form, origin: 'https://other.example', 'sec-fetch-site': 'cross-site' }],
  ])('%s', async (_, fields, headers) => {
    await using app = await testApp();
    expect((await send(app, fields, headers)).status).toBe(303);
    expect(await app.db.select().from(problemReports)).toMatchObject([
      { quarantineReason: expect.any(String) },
    ]);
    expect(await app.db.$count(alerts)).toBe(0);
  });
});
