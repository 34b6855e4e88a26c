import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { leadInput } from '#test/support/factories.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { signedIn } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

const unknownProcedure = expect.stringContaining('No such procedure.');

describe('the tRPC bridge', () => {
  test('queries use GET or same-origin POST, mutations POST only, never cached', async () => {
    meets('D.leads.75');
    await using app = await testApp();
    const input = encodeURIComponent(JSON.stringify({ form: 'landing' }));
    const token = await app.get(`/trpc/leads.formToken?input=${input}`);
    expect(token.status).toBe(200);
    expect(token.json()).toEqual({ result: { data: { token: expect.any(String), minAgeMs: 3000 } } });
    expect(token.headers['cache-control']).toBe('no-store');
    expect(token.headers['x-request-id']).toBeDefined();
    const posted = await app.post('/trpc/leads.formToken', { form: 'landing' });
    expect([posted.status, posted.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(posted.json()).toEqual({ result: { data: { token: expect.any(String), minAgeMs: 3000 } } });
    const foreign = { origin: 'https://evil.example' };
    expect((await app.post('/trpc/leads.formToken', { form: 'landing' }, foreign)).status).toBe(403);
    expect((await app.get('/trpc/leads.create')).status).toBe(405);
  });

  test('every path of 1.0.2 answers, also in a batch and escaped', async () => {
    const paths = z
      .object({ queries: z.array(z.string()).length(38), mutations: z.array(z.string()).length(54) })
      .parse(JSON.parse(await readFile('test/upgrade/1.0.2/procedures.json', 'utf8')));
    await using app = await testApp();
    for (const path of paths.queries)
      expect([path, (await app.get(`/trpc/${path}`)).text]).not.toEqual([path, unknownProcedure]);
    for (const path of paths.mutations)
      expect([path, (await app.post(`/trpc/${path}`, {})).text]).not.toEqual([path, unknownProcedure]);
    expect((await app.get('/trpc/adminLeads.nothing')).text).toEqual(unknownProcedure);

    const headers = await signedIn(app, 'owner');
    const member = (await app.get('/trpc/admin.session.me', headers)).json();
    expect((await app.get('/trpc/staff.me', headers)).json()).toEqual(member);
    for (const comma of [',', '%2C', '%2c'])
      expect(
        (await app.get(`/trpc/staff%2Eme${comma}admin.session.me?batch=1&input={}`, headers)).json(),
      ).toEqual([member, member]);
    for (const path of [
      'staff.me%',
      '%',
      '%2573taff.me',
      'admin.staff.me',
      'leads.constructor',
      '__proto__.me',
    ])
      expect([path, (await app.get(`/trpc/${path}`, headers)).status]).toEqual([
        path,
        path.endsWith('%') ? 400 : 404,
      ]);
  });

  test('mutations from another site are refused', async () => {
    await using app = await testApp();
    const send = async (origin: Record<string, string>): Promise<number> =>
      (await app.post('/trpc/leads.create', leadInput(), origin)).status;
    expect(await send({})).toBe(200);
    expect(await send({ origin: app.url })).toBe(200);
    for (const origin of [
      'https://evil.example',
      'null',
      `http://localhost:${app.port + 1}`,
      'http://localhost.evil.example',
      'not an origin',
    ]) {
      expect([origin, await send({ origin })]).toEqual([origin, 403]);
    }
  });

  test('a mutation that is not JSON is refused', async () => {
    await using app = await testApp();
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/octet-stream',
    ]) {
      const answer = await app.post('/trpc/leads.create', JSON.stringify(leadInput()), {
        'content-type': type,
      });
      expect([type, answer.status]).toEqual([type, 415]);
    }
  });

  test.each([
    ['/trpc/leads.create', 'application/json'],
    ['/api/leads', 'application/json'],
    ['/api/leads', 'application/x-www-form-urlencoded'],
  ])('a post to %s as %s without a body is answered immediately', async (path, type) => {
    await using app = await testApp();
    const socket = connect({ port: app.port, host: '127.0.0.1' });
    // Node's own client would announce an empty body.
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nConnection: close\r\n\r\n`,
    );
    const answer = Buffer.concat(await socket.toArray()).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 4(00|22) /);
  });

  test('the body size is limited, declared or chunked', async () => {
    await using app = await testApp();
    const big = JSON.stringify({ ...leadInput(), ignored: 'x'.repeat(40_000) });
    expect((await app.post('/trpc/leads.create', big)).status).toBe(413);
    const chunked = await app.request('POST', '/trpc/leads.create', {
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      body: big,
    });
    expect(chunked.status).toBe(413);
  });

  test('the batch size is limited', async () => {
    await using app = await testApp();
    const batch = (size: number): string =>
      `/trpc/${Array.from({ length: size }, () => 'leads.formToken').join(',')}?batch=1&input=${encodeURIComponent(
        JSON.stringify(Object.fromEntries(Array.from({ length: size }, (_, at) => [at, { form: 'quiz' }]))),
      )}`;
    expect((await app.get(batch(10))).status).toBe(200);
    expect((await app.get(batch(11))).status).toBe(400);
  });

  test('the cost of a batch is limited, with a message', async () => {
    await using app = await testApp();
    const batch = (calls: string[]) => app.post(`/trpc/${calls.join(',')}?batch=1`, {});
    for (const calls of [
      ['admin.session.signIn', 'leads.create'],
      ['leads.create', 'leads.create', 'leads.create'],
      Array.from({ length: 11 }, () => 'places.locateZip'),
    ]) {
      const answer = await batch(calls);
      expect([calls, answer.status]).toEqual([calls, 400]);
      expect(answer.text).toMatch(/batch costs \d+ of at most 10/);
    }
    expect((await batch(['leads.create', 'leads.create'])).text).not.toContain('batch');
  });

  test('unknown, wrong method and undecodable are 404, 405 and 400 without a stack', async () => {
    meets('D.errors.16');
    await using app = await testApp();
    const cases = [
      ['GET', '/trpc/', 404],
      ['GET', '/trpc/none', 404],
      ['GET', '/trpc/__proto__', 404],
      ['GET', '/trpc/leads.constructor', 404],
      ['GET', '/trpc/%E0%A4%A', 400],
      ['POST', '/trpc/leads.create%', 400],
      ['DELETE', '/trpc/leads.create', 405],
      ['PUT', '/trpc/leads.create', 405],
    ] as const;
    for (const [method, path, status] of cases) {
      const answer = await app.request(method, path);
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.text).not.toMatch(/node_modules|\.ts:/);
    }
  });

  test('invalid JSON, or a body that is not an object, is a bad request', async () => {
    await using app = await testApp();
    for (const body of ['{', '[]', '"x"', 'null', '']) {
      const answer = await app.post('/trpc/leads.create', body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(answer.text).not.toMatch(/node_modules|\.ts:|Unexpected token|SyntaxError/);
    }
    // The one query that is answered from memory reads its input itself.
    expect((await app.get('/trpc/providers.list?input=%7B')).status).toBe(400);
  });

  test('a replay has the headers of the procedure', async () => {
    await using app = await testApp();
    const input = leadInput();
    await app.post('/trpc/leads.create', input, { 'idempotency-key': 'trpc' });
    const replay = await app.post('/trpc/leads.create', input, { 'idempotency-key': 'trpc' });
    expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([200, 'true']);
  });
});

test('GET /api/leads returns the same leads as the list by tRPC', async () => {
  meets('D.conformity.02 D.conformity.45');
  await using app = await testApp();
  await insertLeads(app.db, [{ firstName: 'Quentin' }, { crmSyncStatus: 'failed' }, { zipCode: 'K1A' }]);
  const headers = await signedIn(app, 'viewer');
  const inputs: [query: string, input: object, count: number][] = [
    ['', {}, 3],
    ['limit=2&page=2&sort=-created_at', { limit: 2, page: 2, sort: '-created_at' }, 1],
    ['search=quentin&match=unmatched', { search: 'quentin', match: 'unmatched' }, 1],
    ['status=failed', { status: 'failed' }, 1],
  ];
  for (const [query, input, count] of inputs) {
    const rest = (await app.get(`/api/leads?${query}`, headers)).json() as { leads: unknown[] };
    expect([query, rest.leads.length]).toEqual([query, count]);
    const trpc = await app.post('/trpc/admin.leads.list', input, headers);
    expect([query, trpc.json()]).toEqual([query, { result: { data: rest } }]);
  }
});
