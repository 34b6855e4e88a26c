import { expect, test } from 'vitest';
import { auditLog, hiddenClaims } from '#server/db/schema/index.ts';
import { claims } from '#shared/brand/claims.ts';
import { hero } from '#shared/brand/hero.ts';
import { microsite } from '#shared/brand/microsite.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertAccount, getSession, signedIn } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

const id = 'no-adverse-effects';
const [phrase = ''] = microsite.benefits.flatMap(({ claim, text }) => (claim === id ? [text] : []));
const [fact = ''] = hero.facts.flatMap(({ claim, text }) => (claim === id ? [text.replace('¹', '')] : []));

test('a hidden claim leaves every process at once, cached pages too, until it is shown', async () => {
  await using app = await testApp();
  await using other = await testApp({ database: app.database });
  const provider = await insertProvider(app.db);
  await Promise.all([app.knows(provider), other.knows(provider)]);
  const account = await insertAccount(app, 'owner');
  const owner = await getSession(app, account);
  const sites = [app, other].flatMap((process) => [process, process.as(provider)]);
  const readAll = async (): Promise<string> => {
    const texts = await Promise.all(sites.map(async (site) => (await site.get('/')).text));
    return texts.join('\n');
  };
  // Often enough for a page to be kept whole.
  for (let round = 0; round < 5; round += 1) await readAll();
  const before = await readAll();
  expect(before).toContain(phrase);
  expect(before).toContain(fact);
  const { etag = '' } = (await other.get('/')).headers;

  const hide = (isHidden: boolean) => app.post('/trpc/admin.claims.setHidden', { id, isHidden }, owner);
  expect((await hide(true)).status).toBe(200);
  expect((await hide(true)).status).toBe(200);
  await expect.poll(async () => /No Side Effects|adverse effects/i.test(await readAll())).toBe(false);
  expect((await other.get('/', { 'if-none-match': etag })).status).toBe(200);
  expect((await other.get('/study')).text).not.toContain(`id="${id}"`);
  expect(await app.db.select().from(hiddenClaims)).toMatchObject([{ claimId: id, hiddenBy: account.name }]);

  expect((await hide(false)).status).toBe(200);
  await expect.poll(async () => (await other.get('/')).text.includes(fact)).toBe(true);
  const subject = { subjectKind: 'claim', subjectId: id, actorName: account.name };
  expect(await app.db.select().from(auditLog).orderBy(auditLog.id)).toMatchObject([
    { action: 'claim.hide', ...subject },
    { action: 'claim.show', ...subject },
  ]);
});

test('a process that starts, or lost its connection, knows what is hidden', async () => {
  await using app = await testApp();
  await app.db.insert(hiddenClaims).values({ claimId: id, hiddenBy: 'Dana Owner' });
  await using late = await testApp({ database: app.database });
  expect((await late.get('/')).text).not.toContain(fact);
  await app.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and (query ilike 'listen%' or query ilike '%hidden_claims%') and pid <> pg_backend_pid()`;
  await app.db.delete(hiddenClaims);
  for (const process of [app, late])
    await expect.poll(async () => (await process.get('/')).text.includes(fact)).toBe(true);
});

test('only owners hide claims, only the registry’s, and nothing is hidden at first', async () => {
  await using app = await testApp();
  const [owner, manager] = [await signedIn(app, 'owner'), await signedIn(app, 'manager')];
  const hiding = { id, isHidden: true };
  expect((await app.post('/trpc/admin.claims.setHidden', hiding, manager)).status).toBe(403);
  expect((await app.post('/trpc/admin.claims.setHidden', hiding)).status).toBe(401);
  const unknown = { id: 'nothing', isHidden: true };
  expect((await app.post('/trpc/admin.claims.setHidden', unknown, owner)).status).toBe(404);
  expect(await app.db.$count(hiddenClaims)).toBe(0);
  const listed = (await app.get('/trpc/admin.claims.list', manager)).json();
  expect(listed).toMatchObject({
    result: { data: claims.map((claim) => ({ id: claim.id, text: claim.text, hidden: null, reports: 0 })) },
  });
});
