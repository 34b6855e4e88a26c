import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clinicFields } from '#shared/providers/clinicFields.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';

const head =
  'id,created_at,first_name,last_name,email,phone,zip_code,provider_id,provider_name,crm_sync_status,acceptance_consent,acceptance_message';

/** An answer whose body nobody has read yet. */
async function open(app: TestApp, path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const outgoing = request({
    host: '127.0.0.1',
    port: app.port,
    path,
    headers: { host: `localhost:${app.port}`, ...headers },
    agent: false,
  });
  outgoing.on('error', () => undefined);
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

/** Far more than sockets and batches hold: twenty megabytes. */
async function addManyLeads({ sql }: TestApp): Promise<void> {
  await sql`
    insert into leads (first_name, last_name, email, phone, zip_code, email_norm, phone_e164, match_method, match_reason, acceptance_message)
    select 'Sam', 'Sample ' || n, n || '@mail.example', '(303) 555-0142', '80202', n || '@mail.example', '+13035550142', 'none', 'none', repeat('x', 1000)
    from generate_series(1, 20000) n`;
}

/** The application's connections that are in the middle of reading leads. */
async function reading({ sql }: TestApp): Promise<number[]> {
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name like 'test-app%'
      and state <> 'idle' and query like '%acceptance_message%'`;
  return rows.map(({ pid }) => pid);
}

/** Whether every one of them waits for the application to ask for more rows, and keeps waiting. */
async function isWaiting({ sql }: TestApp): Promise<boolean> {
  for (let look = 0; look < 20; look += 1) {
    const [row] = await sql<{ waiting: boolean }[]>`
      select bool_and(wait_event is not distinct from 'ClientRead') as waiting from pg_stat_activity
      where datname = current_database() and application_name like 'test-app%'
        and state <> 'idle' and query like '%acceptance_message%'`;
    if (row?.waiting !== true) return false;
  }
  return true;
}

describe('GET /api/leads.csv', () => {
  test('has every row of the filter, is never stored and is audited without search', async () => {
    meets('P2.admin.06 P3.lead.19 D.people.13 D.admin.41 D.admin.43 D.conformity.44');
    await using app = await testApp({ now: () => new Date('2026-07-04T10:00:00Z') });
    const provider = await insertProvider(app.db, { name: 'Gable End' });
    const rows = await insertLeads(
      app.db,
      Array.from({ length: 1203 }, (_, index) => ({
        createdAt: new Date(Date.UTC(2026, 5, 1, 0, 0, 0, index)),
        providerId: index % 2 === 0 ? provider.id : null,
        firstName: 'Zoë',
        acceptanceMessage: 'I agree',
      })),
    );
    const answer = await app.get(
      `/api/leads.csv?providerId=${provider.id}&search=zo%C3%AB`,
      await getToken(app, ['leads:read']),
    );
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="leads-2026-07-04.csv"',
      'cache-control': 'no-store',
    });
    expect([...answer.body.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = answer.text.slice(1).split('\r\n');
    // Optional fields follow.
    expect([lines[0]?.slice(0, head.length), lines.at(-1), lines.length]).toEqual([head, '', 602 + 2]);
    const newest = rows.at(-1);
    expect(newest?.id).toBeDefined();
    const ids = rows.filter(({ providerId }) => providerId !== null).map(({ id }) => String(id));
    expect(lines.slice(1, -1).map((line) => line.split(',')[0])).toEqual(ids.toReversed());
    const instants = rows
      .filter(({ providerId }) => providerId !== null)
      .map((row) => row.createdAt.toISOString());
    expect(lines.slice(1, -1).map((line) => line.split(',')[1])).toEqual(instants.toReversed());
    const { id, email = '', phone, lastName } = rows.at(-1) ?? {};
    const line = `${id},2026-06-01T00:00:01.202Z,Zoë,${lastName},${email},${phone},80202,${provider.id},Gable End,pending,true,I agree`;
    expect(lines[1]?.slice(0, line.length)).toBe(line);
    const log = await app.sql`select action, actor_name, actor_kind, detail from audit_log`;
    expect([...log]).toEqual([
      {
        action: 'leads.export',
        actor_name: 'Test script',
        actor_kind: 'token',
        detail: { providerId: provider.id, searched: true },
      },
    ]);
  });

  test('keeps its columns if a text has the character that separates cells on the way', async () => {
    await using app = await testApp();
    const { id, email } = await insertLead(app.db, {
      firstName: 'Zo\u001fë',
      lastName: '',
      zipCode: '80202',
    });
    const { text } = await app.get('/api/leads.csv', await getToken(app, ['leads:read']));
    expect(text.split('\r\n')[1]?.split(',').slice(0, 5)).toEqual([
      String(id),
      expect.stringMatching(/^\d{4}-.*Z$/),
      'Zo ë',
      '',
      email,
    ]);
  });

  test('contains no formula and no broken row for any input', async () => {
    meets('D.admin.46');
    await using app = await testApp();
    await insertLead(app.db, {
      firstName: '=HYPERLINK("http://evil.example","x")',
      lastName: '@SUM(1,2)\r\n-3',
      phone: '+13035550142',
      zipCode: '-1',
      acceptanceMessage: '\t=cmd|calc',
    });
    const { text } = await app.get('/api/leads.csv', await signedIn(app, 'viewer'));
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")","'@SUM(1,2)\r\n'-3",`);
    expect(text).toMatch(/,\+13035550142,'-1,,,pending,true,'\t'=cmd\|calc[,\r]/);
  });

  test('has only the header without rows; an invalid filter is a 422', async () => {
    await using app = await testApp();
    const headers = await signedIn(app, 'viewer');
    await insertLead(app.db, { deletedAt: new Date() });
    const { text } = await app.get('/api/leads.csv', headers);
    expect(text.slice(0, head.length + 1)).toBe(`\ufeff${head}`);
    expect(text.split('\r\n')).toEqual([expect.any(String), '']);
    const wrong = await app.get('/api/leads.csv?status=odd', headers);
    expect([wrong.status, wrong.headers['content-disposition']]).toEqual([422, undefined]);
    expect((await app.get('/api/leads.csv')).headers['www-authenticate']).toBe('Bearer');
  });

  test('HEAD has the status of GET, without a file or an audit entry', async () => {
    await using app = await testApp();
    const headers = await signedIn(app, 'viewer');
    const answer = await app.request('HEAD', '/api/leads.csv', { headers });
    expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([200, '', 'no-store']);
    expect((await app.request('HEAD', '/api/leads.csv')).status).toBe(401);
    const scripts = await getToken(app, ['providers:read']);
    expect((await app.request('HEAD', '/api/leads.csv', { headers: scripts })).status).toBe(403);
    expect([...(await app.sql`select action from audit_log where action = 'leads.export'`)]).toEqual([]);
  });
});

describe('a file larger than socket buffers', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp();
    await addManyLeads(app);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('waits for its reader; a disconnect ends the query', async () => {
    meets('D.admin.42');
    const headers = await getToken(app, ['leads:read']);
    // More often than the pool has connections.
    for (let round = 0; round < 12; round += 1) {
      const response = await open(app, '/api/leads.csv', headers);
      expect(response.statusCode).toBe(200);
      await once(response, 'readable');
      response.destroy();
      await expect.poll(() => reading(app)).toEqual([]);
    }
    expect((await app.get('/api/leads', headers)).status).toBe(200);
  });

  test('is cut off when the database fails halfway', async () => {
    const response = await open(app, '/api/leads.csv', await getToken(app, ['leads:read']));
    await once(response, 'readable');
    await expect.poll(() => reading(app)).toHaveLength(1);
    const [pid] = await reading(app);
    await app.sql`select pg_terminate_backend(${pid ?? 0})`;
    const failed = once(response, 'error');
    response.on('end', () => response.destroy(new Error('the file was ended as if whole')));
    response.resume();
    const [error] = (await failed) as [Error];
    expect(error.message).toBe('aborted');
    expect(response.complete).toBe(false);
  });

  test('is cut off when its connection is lost while it waits', async () => {
    meets('D.admin.42');
    const response = await open(app, '/api/leads.csv', await getToken(app, ['leads:read']));
    await once(response, 'readable');
    await expect.poll(() => isWaiting(app)).toBe(true);
    const [pid] = await reading(app);
    await app.sql`select pg_terminate_backend(${pid ?? 0})`;
    await expect.poll(() => reading(app)).toEqual([]);
    // By now the application has noticed the loss.
    expect((await app.get('/api/leads', await getToken(app, ['leads:read']))).status).toBe(200);
    const failed = once(response, 'error');
    response.on('end', () => response.destroy(new Error('the file was ended as if whole')));
    response.resume();
    const [error] = (await failed) as [Error];
    expect(error.message).toBe('aborted');
    expect(response.complete).toBe(false);
    expect((await app.get('/api/leads', await getToken(app, ['leads:read']))).status).toBe(200);
  });

  test('three exports run concurrently and a fourth is refused', async () => {
    const headers = await getToken(app, ['leads:read', 'providers:read']);
    const held: IncomingMessage[] = [];
    for (let index = 0; index < 3; index += 1)
      held.push(await open(app, '/api/leads.csv', await getToken(app, ['leads:read'])));
    const refused = await app.get('/api/providers.csv', headers);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '60']);
    expect(refused.headers['x-exports-busy']).toBe('1');
    expect((await app.request('HEAD', '/api/providers.csv', { headers })).status).toBe(503);
    for (const response of held) response.destroy();
    await expect.poll(async () => (await app.get('/api/providers.csv', headers)).status).toBe(200);
  });
});

describe('exports of one actor', () => {
  test('one token has two at most, which leaves one for others', async () => {
    await using app = await testApp();
    await addManyLeads(app);
    const headers = await getToken(app, ['leads:read', 'providers:read']);
    const held = [await open(app, '/api/leads.csv', headers), await open(app, '/api/leads.csv', headers)];
    const refused = await app.get('/api/leads.csv', headers);
    expect([refused.status, refused.headers['x-exports-busy']]).toEqual([503, '1']);
    const other = await getToken(app, ['providers:read']);
    expect((await app.get('/api/providers.csv', other)).status).toBe(200);
    for (const response of held) response.destroy();
    await expect.poll(async () => (await app.get('/api/providers.csv', headers)).status).toBe(200);
  });
});

describe('GET /api/providers.csv', () => {
  test('has one group, the specified columns and lead counts, and no secret', async () => {
    meets('P2.admin.09 P3.lead.17 P3.lead.18 D.admin.43 D.admin.44');
    await using app = await testApp({ now: () => new Date('2026-07-04T10:00:00Z') });
    const provider = await insertProvider(app.db, {
      name: '=Gable',
      practiceName: 'End, "Ltd"',
      wordpressId: 77,
      address: null,
      mpxapi: 'secret-mpxapi',
    });
    const other = await insertProvider(app.db, { status: 'f' });
    await insertLeads(app.db, [
      { providerId: provider.id },
      { providerId: provider.id },
      { providerId: provider.id, deletedAt: new Date() },
    ]);
    const headers = await getToken(app, ['providers:read']);
    const active = await app.get('/api/providers.csv', headers);
    expect(active.headers['content-disposition']).toBe(
      'attachment; filename="providers-active-2026-07-04.csv"',
    );
    // What a clinic says of itself follows the specified columns.
    const added = Object.keys(clinicFields);
    expect(active.text).toBe(
      `\ufeffid,wordpress_id,name,practiceName,email,phone,address,zipCode,website,status,leadCount,${added.join(',')}\r\n` +
        `${provider.id},77,'=Gable,"End, ""Ltd""",${provider.email},${provider.phone},,${provider.zipCode},${provider.website},Active,2${','.repeat(added.length)}\r\n`,
    );
    const inactive = await app.get('/api/providers.csv?status=inactive', headers);
    expect(inactive.text).toContain(`\r\n${other.id},,`);
    expect(inactive.text).toContain(`,Inactive,0${','.repeat(added.length)}\r\n`);
    expect((await app.get('/api/providers.csv?status=all', headers)).status).toBe(422);
    expect(active.text + inactive.text).not.toContain('secret-mpxapi');
    const log = await app.sql`select action, detail from audit_log order by id`;
    expect([...log]).toEqual([
      { action: 'providers.export', detail: { status: 'active' } },
      { action: 'providers.export', detail: { status: 'inactive' } },
    ]);
  });
});
