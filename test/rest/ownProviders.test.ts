import { describe, expect, test } from 'vitest';
import { pushBytesMax } from '#shared/admin/sync.ts';
import { providers } from '#server/db/schema/index.ts';
import { insertProvider } from '#test/support/factories.ts';
import { getToken, signedIn } from '#test/support/staff.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';

/** A manager's calls of `admin.ownProviders`: the status, and the data or the messages by field. */
async function signIn(app: TestApp, headers?: Record<string, string>) {
  const sent = headers ?? (await signedIn(app));
  return async (procedure: string, input: object): Promise<[status: number, said: unknown]> => {
    const { status, json } = await app.post(`/trpc/admin.${procedure}`, input, sent);
    const body = Object(json());
    return [status, body.result?.data ?? body.error.data.errors ?? body.error.message];
  };
}

const typed = { name: 'Kit Elmsworth', email: 'kit@juniper.example', zipCode: '80202' };
const stored = ({ db }: TestApp) => db.select().from(providers).orderBy(providers.id);

describe('a provider that staff add', () => {
  test('is stored inactive by the sync’s rules, and no value that they refuse is', async () => {
    await using app = await testApp();
    const call = await signIn(app);
    const bad = { ...typed, zipCode: '1234', email: 'kit', domain: 'not a host', phone: '12', latitude: 'x' };
    expect(await call('ownProviders.create', bad)).toEqual([
      422,
      {
        zipCode: '“1234” isn’t a five-digit US ZIP code.',
        email: 'Its email address isn’t valid.',
        domain: expect.any(String),
        phone: 'Its phone number isn’t valid.',
      },
    ]);
    expect(await call('ownProviders.create', { ...typed, latitude: '51.5', longitude: '-0.1' })).toEqual([
      422,
      { latitude: expect.stringContaining('miles from its ZIP code 80202') },
    ]);
    expect((await call('ownProviders.create', {}))[1]).toMatchObject({ name: 'Its name is missing.' });
    expect(await stored(app)).toEqual([]);
    const [status, added] = await call('ownProviders.create', {
      ...typed,
      website: 'juniper.example',
      latitude: '39.75',
      longitude: '-105',
      accepts_financing: true,
    });
    expect([status, added]).toEqual([200, expect.objectContaining({ wordpress_id: null, status: 'f' })]);
    expect(await stored(app)).toMatchObject([
      { name: 'Kit Elmsworth', website: 'https://juniper.example/', latitude: 39.75, acceptsFinancing: true },
    ]);
    expect(await app.sql`select action from audit_log`).toEqual([{ action: 'provider.create' }]);
  });

  test('is edited by field, live on every process; the former address hears of it', async () => {
    await using app = await testApp();
    await using other = await testApp({ database: app.database });
    const call = await signIn(app);
    const { id } = await insertProvider(app.db, {
      wordpressId: null,
      domain: null,
      zipCode: '80202',
      latitude: null,
      longitude: null,
    });
    await app.sql`update providers set email_confirmed_at = now()`;
    const [status] = await call('ownProviders.update', {
      id,
      domain: 'www.Juniper.example',
      email: 'new@juniper.example',
    });
    expect(status).toBe(200);
    await other.knows('juniper.example');
    expect(await stored(app)).toMatchObject([
      { domain: 'juniper.example', email: 'new@juniper.example', emailConfirmedAt: null, zipCode: '80202' },
    ]);
    expect(await app.sql`select provider_id from address_notices`).toHaveLength(1);
    const lines = await app.sql`select action, detail from audit_log order by id`;
    expect(lines).toMatchObject([
      { action: 'provider.change', detail: { source: 'staff', domain: { to: 'juniper.example' } } },
      { action: 'provider.update', detail: { fields: ['email', 'domain'] } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('new@juniper');
    await call('ownProviders.update', { id, domain: 'juniper.example' });
    expect(await app.sql`select 1 from audit_log`).toHaveLength(2);
  });

  test('isn’t edited here once a source owns it, and gets no other’s domain', async () => {
    await using app = await testApp();
    const call = await signIn(app);
    const synced = await insertProvider(app.db, { wordpressId: 71, domain: 'amber.example' });
    expect((await call('ownProviders.update', { id: synced.id, name: 'X' }))[0]).toBe(409);
    const own = await insertProvider(app.db, { wordpressId: null, domain: null });
    expect((await call('ownProviders.update', { id: own.id, domain: 'amber.example' }))[0]).toBe(409);
    expect((await call('ownProviders.update', { id: 999_999, name: 'X' }))[0]).toBe(404);
    expect(await app.sql`select 1 from audit_log where action like 'provider.%'`).toEqual([]);
  });

  test('is for managers and owners, and no token', async () => {
    await using app = await testApp();
    const viewer = await signIn(app, await signedIn(app, 'viewer'));
    const token = await signIn(app, await getToken(app, ['providers:write', 'sync:run']));
    for (const procedure of ['create', 'update', 'upload'])
      for (const call of [viewer, token])
        expect((await call(`ownProviders.${procedure}`, typed))[0]).toBe(403);
  });
});

describe('an uploaded file', () => {
  const upload = (content: string | Buffer, options: object = {}) => ({
    ...{ fileName: 'clinics.csv', content: Buffer.from(content).toString('base64') },
    ...{ dryRun: false, force: false, ...options },
  });

  test('is read in any encoding that the command reads, and a workbook is refused', async () => {
    await using app = await testApp();
    const call = await signIn(app);
    const text = '\ufeffwordpress_id;name;email;zip_code\r\n12;Zoë Quay;zoe@example.com;80202\r\n';
    const done = await call('ownProviders.upload', upload(Buffer.from(text, 'utf16le')));
    expect(done).toMatchObject([200, { success: true, run: { source: 'file', kind: 'rows', created: 1 } }]);
    expect(await stored(app)).toMatchObject([{ wordpressId: 12, name: 'Zoë Quay', status: 't' }]);
    const workbook = await call('ownProviders.upload', upload(Buffer.from('504b0304', 'hex')));
    expect(workbook).toMatchObject([200, { success: false, error: expect.stringContaining('workbook') }]);
    expect(await app.sql`select detail from audit_log where action = 'sync.run' order by id`).toEqual([
      { detail: { success: true } },
      { detail: { success: false } },
    ]);
  });

  test('has at most the size of a push; other calls keep their limit', async () => {
    await using app = await testApp();
    const call = await signIn(app);
    const full = 'wordpress_id,name\n'.padEnd(pushBytesMax, `0,${'x'.repeat(1000)}\n`);
    expect((await call('ownProviders.upload', upload(full, { dryRun: true })))[0]).toBe(200);
    expect((await call('ownProviders.upload', upload(`${full}\n`, { dryRun: true })))[0]).toBe(422);
    expect((await call('ownProviders.upload', upload(full.repeat(2))))[0]).toBe(413);
    expect((await call('ownProviders.create', { name: 'x'.repeat(40_000) }))[0]).toBe(413);
  });
});
