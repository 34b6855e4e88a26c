import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { toProblem } from '#test/support/problem.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { waitUntil } from '#test/support/waitFor.ts';

async function leadCount({ sql }: Pick<TestApp, 'sql'>): Promise<number> {
  const [row] = await sql<{ n: string }[]>`select count(*) as n from leads`;
  return Number(row?.n);
}

describe('POST /api/leads as JSON', () => {
  test('answers 201 with the id and the matched provider, never cached', async () => {
    meets('P3.lead.14 P3.lead.15 P7.call.18 D.leads.05 D.leads.90');
    await using app = await testApp();
    const provider = await insertProvider(app.db, { zipCode: '80202' });
    const answer = await app.post('/api/leads', leadInput());
    expect(answer.status).toBe(201);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({ id: expect.any(Number), providerId: provider.id });
    const unmatched = await app.post('/api/leads', leadInput({ zip_code: 'nowhere' }));
    expect(unmatched.json()).toEqual({ id: expect.any(Number) });
  });

  test('?providerId= requests a provider on the main site and never rejects a lead', async () => {
    meets('P7.call.20 D.leads.48 D.leads.50');
    await using app = await testApp();
    const near = await insertProvider(app.db, { zipCode: '80202' });
    const far = await insertProvider(app.db, { zipCode: '33131' });
    const getProvider = async (query: string): Promise<unknown> =>
      ((await app.post(`/api/leads${query}`, leadInput())).json() as { providerId?: number }).providerId;
    // Processes learn of a new clinic by notification.
    await expect.poll(() => getProvider(`?providerId=${far.id}`)).toBe(far.id);
    for (const query of [
      '?providerId=999999',
      '?providerId=abc',
      '?providerId=',
      '?providerId=-1',
      '?providerId=1e99',
    ]) {
      expect([query, await getProvider(query)]).toEqual([query, near.id]);
    }
  });

  test('a providerId in the body is ignored', async () => {
    await using app = await testApp();
    const near = await insertProvider(app.db, { zipCode: '80202' });
    const far = await insertProvider(app.db, { zipCode: '33131' });
    await app.knows(far);
    const findProvider = async (path: string, providerId: number) =>
      (await app.post(path, { ...leadInput(), providerId })).json();
    expect(await findProvider('/api/leads', far.id)).toMatchObject({ providerId: near.id });
    expect(await findProvider(`/api/leads?providerId=${far.id}`, near.id)).toMatchObject({
      providerId: far.id,
    });
  });

  test('a lead of a host of a provider is matched with it, whatever the query', async () => {
    meets('D.hosts.35');
    await using app = await testApp();
    const own = await insertProvider(app.db, { zipCode: '33131' });
    const other = await insertProvider(app.db, { zipCode: '80202' });
    await expect
      .poll(async () => (await app.as(own).post(`/api/leads?providerId=${other.id}`, leadInput())).json())
      .toMatchObject({ providerId: own.id });
  });

  test('an empty form gets all messages', async () => {
    meets('P3.lead.02 D.leads.10 D.leads.11 D.leads.12 D.leads.13 D.leads.15 D.leads.16 D.errors.04');
    await using app = await testApp();
    const problem = toProblem(await app.post('/api/leads', {}));
    expect(problem.status).toBe(422);
    expect(problem.errors).toEqual({
      first_name: 'First name is required',
      last_name: 'Last name is required',
      email: 'Email is required',
      phone: 'Phone number is required',
      zip_code: 'Zip code is required',
      acceptance_consent: 'You must agree to receive communications to continue.',
    });
    expect(await leadCount(app)).toBe(0);
  });

  test('each invalid value gets its own message and stores nothing', async () => {
    meets(`
      P5.valid.04 D.people.17 D.leads.04 D.leads.11 D.leads.12 D.leads.13 D.leads.14 D.leads.15
      D.leads.16 D.leads.18 D.leads.22 D.errors.03 D.errors.13
    `);
    await using app = await testApp();
    const cases: [string, unknown, string][] = [
      ['first_name', '', 'First name is required'],
      ['first_name', ' \t\u0000 ', 'First name is required'],
      ['first_name', 'x'.repeat(101), 'First name must be at most 100 characters'],
      ['last_name', '', 'Last name is required'],
      ['last_name', 7, 'Last name is required'],
      ['email', '', 'Email is required'],
      ['email', 'nobody', 'Invalid email format'],
      ['email', 'a b@example.com', 'Invalid email format'],
      ['email', `${'a'.repeat(250)}@example.com`, 'Invalid email format'],
      ['email', null, 'Email is required'],
      ['phone', '', 'Phone number is required'],
      ['phone', '123456789', 'Phone number must have 10 to 15 digits'],
      ['phone', '1234567890123456', 'Phone number must have 10 to 15 digits'],
      ['phone', ['3035550101'], 'Phone number is required'],
      ['zip_code', '', 'Zip code is required'],
      ['zip_code', {}, 'Zip code is required'],
    ];
    for (const [field, value, message] of cases) {
      const problem = toProblem(await app.post('/api/leads', { ...leadInput(), [field]: value }));
      expect({ value, ...problem }).toMatchObject({
        value,
        status: 422,
        title: 'Unprocessable content',
        detail: message,
        errors: { [field]: message },
      });
      expect(Object.keys(problem.errors ?? {})).toEqual([field]);
    }
    expect(await leadCount(app)).toBe(0);
  });

  test('a ZIP of any length is accepted and truncated', async () => {
    meets('D.leads.29');
    await using app = await testApp();
    const answer = await app.post(
      '/api/leads',
      leadInput({ zip_code: `${'9'.repeat(31)}🏥${'x'.repeat(2_000)}` }),
    );
    expect([answer.status, answer.json()]).toEqual([201, { id: expect.any(Number) }]);
    expect(await app.sql`select zip_code, match_method from leads`).toEqual([
      { zip_code: `${'9'.repeat(31)}\ufffd`, match_method: 'none' },
    ]);
  });

  test('only a true consent is accepted', async () => {
    meets('D.leads.31 D.leads.32');
    await using app = await testApp();
    for (const consent of [false, null, 'true', 1, undefined]) {
      const problem = toProblem(
        await app.post('/api/leads', { ...leadInput(), acceptance_consent: consent }),
      );
      expect([consent, problem.status, problem.detail]).toEqual([
        consent,
        422,
        'You must agree to receive communications to continue.',
      ]);
    }
    expect(await leadCount(app)).toBe(0);
    expect(await app.sql`select 1 from consent_records`).toHaveLength(0);
  });

  test('a body that is not one JSON object is a bad request', async () => {
    meets('D.errors.06');
    await using app = await testApp();
    for (const body of ['{"first_name":', '[]', 'null', '"x"', '']) {
      expect([body, toProblem(await app.post('/api/leads', body)).status]).toEqual([body, 400]);
    }
  });

  test('bytes that are not UTF-8 are a bad request', async () => {
    await using app = await testApp();
    const body = Buffer.concat([
      Buffer.from('{"first_name":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    const answer = await app.request('POST', '/api/leads', {
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(toProblem(answer).status).toBe(400);
  });

  test('other content types, and none, are refused', async () => {
    meets('D.errors.12');
    await using app = await testApp();
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/xml', '']) {
      const answer = await app.post('/api/leads', leadInput(), { 'content-type': type });
      expect([type, toProblem(answer).status]).toEqual([type, 415]);
    }
  });

  test('a compressed body is refused', async () => {
    await using app = await testApp();
    const answer = await app.post('/api/leads', leadInput(), { 'content-encoding': 'gzip' });
    expect(toProblem(answer).status).toBe(415);
  });

  test('a body above 32 KiB is refused, one just below is accepted', async () => {
    meets('D.leads.26 D.errors.11');
    await using app = await testApp();
    const padded = (bytes: number): string => {
      const input = JSON.stringify({ ...leadInput(), ignored: '' });
      return input.replace('"ignored":""', `"ignored":"${'x'.repeat(bytes - input.length)}"`);
    };
    expect(toProblem(await app.post('/api/leads', padded(32 * 1024 + 1))).status).toBe(413);
    const chunked = await app.request('POST', '/api/leads', {
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      body: padded(40_000),
    });
    expect(toProblem(chunked).status).toBe(413);
    expect((await app.post('/api/leads', padded(32 * 1024))).status).toBe(201);
  });

  test('NUL bytes, surrogates and control characters are never a 500', async () => {
    await using app = await testApp();
    const raw = JSON.stringify(leadInput()).replace(
      /"first_name":"[^"]*"/,
      '"first_name":"A\\u0000\\ud800\\u001bB","__proto__":{"x":1},"constructor":3',
    );
    const answer = await app.post('/api/leads', raw);
    expect(answer.status).toBe(201);
    const [lead] = await app.sql`select first_name from leads`;
    expect(lead?.['first_name']).toBe('A \ufffd B');
    const message = '\u0000I agree\ud83d';
    expect((await app.post('/api/leads', leadInput({ acceptance_message: message }))).status).toBe(201);
    const surrogateAtCut = `${'x'.repeat(1_999)}😀`;
    expect((await app.post('/api/leads', leadInput({ acceptance_message: surrogateAtCut }))).status).toBe(
      201,
    );
  });

  test('unknown fields and a sent acceptance_ip are ignored', async () => {
    meets('D.leads.25 D.leads.46');
    await using app = await testApp();
    await app.post('/api/leads', {
      ...leadInput(),
      acceptance_ip: '8.8.8.8',
      id: 1,
      provider_id: 3,
      crm_sync_status: 'success',
    });
    const [lead] = await app.sql`select acceptance_ip, crm_sync_status from leads`;
    expect(lead).toEqual({ acceptance_ip: '127.0.0.1', crm_sync_status: 'pending' });
  });

  test('an invalid optional field never rejects a lead', async () => {
    await using app = await testApp();
    const odd = {
      ...leadInput(),
      form: 'other',
      attribution: 'x',
      acceptance_message: 5,
      token: 7,
      website: null,
    };
    expect((await app.post('/api/leads', odd)).status).toBe(201);
  });
});

describe('idempotency over HTTP', () => {
  test('twenty concurrent posts with one key store one lead', async () => {
    await using app = await testApp();
    const input = leadInput();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.post('/api/leads', input, { 'idempotency-key': 'parallel' })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await leadCount(app)).toBe(1);
  });

  test('two processes share keys and content folding', async () => {
    meets('D.people.19 D.leads.68');
    await using one = await testApp();
    await using two = await testApp({ database: one.database });
    const input = leadInput();
    const first = await one.post('/api/leads', input, { 'idempotency-key': 'shared' });
    const second = await two.post('/api/leads', input, { 'idempotency-key': 'shared' });
    expect([second.status, second.text, second.headers['idempotent-replayed']]).toEqual([
      201,
      first.text,
      'true',
    ]);
    const plain = leadInput();
    expect((await two.post('/api/leads', plain)).text).toBe((await one.post('/api/leads', plain)).text);
  });

  test('a key with other content is a 422, a long key a 400', async () => {
    meets('D.leads.70');
    await using app = await testApp();
    await app.post('/api/leads', leadInput(), { 'idempotency-key': 'k' });
    const reused = toProblem(await app.post('/api/leads', leadInput(), { 'idempotency-key': 'k' }));
    expect([reused.status, reused.detail]).toEqual([
      422,
      'This Idempotency-Key was already used with different content.',
    ]);
    expect(
      toProblem(await app.post('/api/leads', leadInput(), { 'idempotency-key': 'k'.repeat(256) })).status,
    ).toBe(400);
  });
});

test('a lead by tRPC has the same match, messages and statuses', async () => {
  meets('D.leads.01 D.conformity.02');
  await using app = await testApp();
  const provider = await insertProvider(app.db, { zipCode: '80202' });
  const far = await insertProvider(app.db, { zipCode: '33131' });
  const created = await app.post('/trpc/leads.create', leadInput());
  expect([created.status, created.json()]).toEqual([
    200,
    { result: { data: { id: expect.any(Number), providerId: provider.id } } },
  ]);
  // The process hears of new providers a moment later.
  await waitUntil(async () => (await app.get(`/?providerId=${far.id}`)).status === 200);
  const asked = await app.post('/trpc/leads.create', { ...leadInput(), providerId: far.id });
  expect(asked.json()).toMatchObject({ result: { data: { providerId: far.id } } });
  const wrong = await app.post('/trpc/leads.create', {
    ...leadInput(),
    email: 'nobody',
    acceptance_consent: false,
  });
  expect(wrong.status).toBe(422);
  expect(wrong.json()).toMatchObject({
    error: {
      message: 'Invalid email format',
      data: { errors: { email: 'Invalid email format', acceptance_consent: expect.any(String) } },
    },
  });
  expect(wrong.text).not.toContain('stack');
});
