import { expect, test } from 'vitest';
import { afterLines } from '#scripts/backup/afterRestore.ts';
import { listAccessChanges } from '#server/features/ledger/accessChanges.ts';
import { system } from '#server/features/audit/audit.ts';
import { recordProviderChanges } from '#server/features/providers/providerChanges.ts';
import { restoredProviders } from '#server/features/providers/restoredProviders.ts';
import { restoreEndpoints } from '#server/features/webhooks/restoreEndpoints.ts';
import { insertProvider } from '#test/support/factories.ts';
import { signedIn } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';

const names = ['removed', 'moved', 'rotated', 'off', 'again', 'renamed', 'same'] as const;
type Name = (typeof names)[number];

async function endpoints(app: TestApp, owner: Record<string, string>): Promise<Record<Name, string>> {
  const ids: [Name, string][] = [];
  for (const name of names) {
    const input = { url: `https://${name}.example/hook`, description: '', types: [], payload: 'full' };
    const answer = await app.post('/api/webhook-endpoints', input, owner);
    const { endpoint }: { endpoint: { id: string } } = Object(answer.json());
    ids.push([name, endpoint.id]);
  }
  const { removed, moved, rotated, off, again, renamed, same } = Object.fromEntries(ids);
  return {
    ...{ removed: `${removed}`, moved: `${moved}`, rotated: `${rotated}`, off: `${off}` },
    ...{ again: `${again}`, renamed: `${renamed}`, same: `${same}` },
  };
}

test('a restore turns no endpoint on that was removed, switched off or changed since', async () => {
  await using app = await testApp();
  const owner = await signedIn(app, 'owner');
  const ids = await endpoints(app, owner);
  const backup = [...(await app.sql`select * from webhook_endpoints order by created_at`)];
  const call = (name: string, input: object) => app.post(`/trpc/admin.webhooks.${name}`, input, owner);
  const answers = [
    await call('update', { id: ids.removed, payload: 'thin' }),
    await call('remove', { id: ids.removed }),
    await call('update', { id: ids.moved, url: 'https://elsewhere.example/hook' }),
    await call('rotate', { id: ids.rotated }),
    await call('switch', { id: ids.off, on: false }),
    await call('switch', { id: ids.again, on: false }),
    await call('switch', { id: ids.again, on: true }),
    await call('update', { id: ids.renamed, description: 'The new CRM' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const changes = await listAccessChanges(app.db);
  // Version 1.0.1 reads a number here, and keeps what it doesn't know.
  expect(changes.map(({ subject }) => subject)).toEqual(changes.map(() => 0));
  expect(JSON.stringify(changes)).not.toContain('.example');
  // The restored database: as at the backup.
  await app.sql`delete from access_changes`;
  await app.sql`delete from webhook_endpoints`;
  await app.sql`insert into webhook_endpoints ${app.sql(backup)}`;

  const now = new Date();
  const restored = await restoreEndpoints(app.db, { changes, now });
  expect({ ...restored, off: restored.off.toSorted() }).toEqual({
    removed: ['removed.example'],
    off: ['again.example', 'moved.example', 'off.example', 'rotated.example'],
    on: ['renamed.example (full)', 'same.example (full)'],
  });
  const on = await app.sql`select url from webhook_endpoints where disabled_at is null order by url`;
  expect(on.map(({ url }) => url)).toEqual(['https://renamed.example/hook', 'https://same.example/hook']);
  expect(await app.sql`select 1 from webhook_endpoints where id = ${ids.removed}`).toHaveLength(0);
  // A second replay doesn't switch off what an owner switched on.
  await call('switch', { id: ids.moved, on: true });
  expect(await restoreEndpoints(app.db, { changes, now })).toMatchObject({ removed: [], off: [] });
});

function listChanges(
  from: { id: number },
  change: Partial<Record<'email' | 'domain', string>> & { status?: 't' | 'f' },
) {
  const before = { email: 'front@clinic.example', domain: 'clinic.example', status: 't' } as const;
  return { id: from.id, before, after: { ...before, ...change } };
}

test('a restore names the providers whose recipient changed since, once', async () => {
  await using app = await testApp();
  const owner = await signedIn(app, 'owner');
  const add = () => insertProvider(app.db);
  const [first, second, third, fourth, fifth] = [
    await add(),
    await add(),
    await add(),
    await add(),
    await add(),
  ];
  const author = {
    actor: system,
    ip: null,
    source: 'file',
    now: new Date(),
  } as const;
  const record = (changes: ReturnType<typeof listChanges>[]) =>
    recordProviderChanges(app.db, author, changes);
  await record([
    listChanges(first, { email: 'other@clinic.example' }),
    listChanges(second, { domain: 'other.example' }),
    listChanges(third, { status: 'f' }),
  ]);
  const key = { id: fourth.id, mpxapi: 'key-of-the-new-account' };
  expect((await app.post('/trpc/admin.providers.update', key, owner)).status).toBe(200);
  await app.post('/trpc/admin.providers.update', { id: fifth.id, paused: true }, owner);
  const changes = await listAccessChanges(app.db);
  await app.sql`delete from access_changes`;
  const named = [first, second, third, fourth].map(({ id, name }) => `${name} (${id})`);
  expect(await restoredProviders(app.db, changes)).toEqual({ named, others: 0 });
  expect(await restoredProviders(app.db, changes)).toEqual({ named: [], others: 0 });

  // A change of the whole network is one note.
  await app.sql`delete from access_changes`;
  await record(Array.from({ length: 101 }, () => listChanges(first, { email: 'all@clinic.example' })));
  const moved = await listAccessChanges(app.db);
  expect(moved).toHaveLength(1);
  await app.sql`delete from access_changes`;
  const providers = await restoredProviders(app.db, moved);
  expect(providers).toEqual({ named: [], others: null });
  const none = {
    ...{ tokens: 0, accounts: 0, roles: 0, passwords: 0, secondFactors: 0, identities: 0 },
    ...{ sessions: 0, moved: 0, audit: null },
  };
  const lines = afterLines({
    ...{ ...none, notedAt: '2026-06-01T12:00:00Z', providers },
    endpoints: { removed: [], off: [], on: ['hooks.example (full)'] },
  });
  expect(lines.join('\n')).toContain('that of the backup: many others.');
  expect(lines.join('\n')).toContain('on as in the backup: hooks.example (full).');
});
