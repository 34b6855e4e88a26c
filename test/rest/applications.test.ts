import { describe, expect, test } from 'vitest';
import { applicationConsent } from '#shared/brand/application.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { formToken } from '#test/support/formToken.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';

const path = '/api/provider-applications';

function stored({ sql }: TestApp): Promise<Record<string, unknown>[]> {
  return sql`select * from provider_applications order by id`;
}

describe('POST /api/provider-applications as JSON', () => {
  test('answers 201 with the id and stores all fields', async () => {
    await using app = await testApp();
    const input = applicationInput({
      zip_code: '80202-1234',
      phone: '(303) 555-0142',
      message: ' One\r\nTwo ',
    });
    const answer = await app.post(path, { ...input, status: 'accepted', ip: '8.8.8.8' });
    expect([answer.status, answer.json()]).toEqual([201, { id: expect.any(Number) }]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await stored(app)).toMatchObject([
      {
        practice_name: input.practice_name,
        contact_name: input.contact_name,
        role: input.role,
        email: input.email,
        phone: '(303) 555-0142',
        phone_e164: '+13035550142',
        zip_code: '80202',
        website: 'clinic.example.com',
        message: 'One\nTwo',
        consent_text: '',
        consent_version: null,
        status: 'new',
        ip: '127.0.0.1',
        host: 'localhost',
        quarantine_reason: null,
      },
    ]);
  });

  test('website and message are optional and may be empty', async () => {
    await using app = await testApp();
    const { website: _website, message: _message, ...rest } = applicationInput();
    expect((await app.post(path, rest)).status).toBe(201);
    expect((await app.post(path, applicationInput({ website: ' ', message: '' }))).status).toBe(201);
    const empty = { website: null, message: null };
    expect(await stored(app)).toMatchObject([empty, empty]);
  });

  test('an empty form gets all messages and stores nothing', async () => {
    await using app = await testApp();
    const answer = await app.post(path, {});
    expect([answer.status, answer.json()]).toMatchObject([
      422,
      {
        errors: {
          practice_name: 'Practice name is required',
          contact_name: 'Your name is required',
          role: 'Role or credential is required',
          email: 'Email is required',
          phone: 'Phone number is required',
          zip_code: 'Zip code is required',
          acceptance_consent: 'You must agree to receive communications to continue.',
        },
      },
    ]);
    expect(await stored(app)).toEqual([]);
  });

  test('each invalid value gets its own message and stores nothing', async () => {
    await using app = await testApp();
    const cases: [string, unknown, string][] = [
      ['practice_name', 'x'.repeat(201), 'Practice name must be at most 200 characters'],
      ['contact_name', ' \t ', 'Your name is required'],
      ['role', 7, 'Role or credential is required'],
      ['email', 'nobody', 'Invalid email format'],
      ['phone', '123', 'Phone number must have 10 to 15 digits'],
      ['zip_code', '1234', 'Please enter a valid 5-digit zip code'],
      ['website', 'javascript:alert(1)', 'Website must be a web address, such as clinic.example.com'],
      ['website', {}, 'Must be text'],
      ['message', 'x'.repeat(2001), 'Message must be at most 2000 characters'],
      ['acceptance_consent', 'true', 'You must agree to receive communications to continue.'],
    ];
    for (const [field, value, message] of cases) {
      const answer = await app.post(path, { ...applicationInput(), [field]: value });
      expect([answer.status, answer.json()]).toMatchObject([422, { detail: message }]);
      expect(answer.json()).toHaveProperty('errors', { [field]: message });
    }
    expect(await stored(app)).toEqual([]);
  });

  test('twenty concurrent requests with one key store one application', async () => {
    await using app = await testApp();
    const input = applicationInput();
    const key = { 'idempotency-key': 'parallel' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.post(path, input, key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await stored(app)).toHaveLength(1);
    expect((await app.post(path, applicationInput(), key)).status).toBe(422);
    expect((await app.post('/api/leads', leadInput(), key)).status).toBe(422);
  });

  test('without a key, an equal application within a minute is a replay', async () => {
    const clock = { ms: Date.now() };
    await using app = await testApp({ now: () => new Date(clock.ms) });
    const input = applicationInput();
    const first = await app.post(path, input);
    expect((await app.post(path, input)).text).toBe(first.text);
    clock.ms += 60_000;
    expect((await app.post(path, input)).text).not.toBe(first.text);
    expect(await stored(app)).toHaveLength(2);
  });

  test('a honeypot or forged token is quarantined with the same response', async () => {
    await using app = await testApp();
    expect((await app.post(path, applicationInput({ homepage: 'https://spam.example' }))).status).toBe(201);
    expect((await app.post(path, applicationInput({ token: 'forged' }))).status).toBe(201);
    const lead = app.services.submissions.formTokens.issue('landing');
    expect((await app.post(path, applicationInput({ token: lead }))).status).toBe(201);
    expect((await stored(app)).map((row) => row['quarantine_reason'])).toEqual([
      'honeypot',
      'token-forged',
      'token-forged',
    ]);
  });

  test('counts toward the limit of leads', async () => {
    await using app = await testApp({ env: { RATE_LIMIT_LEADS: '4/1m' } });
    expect((await app.post('/api/leads', leadInput())).status).toBe(201);
    expect((await app.post(path, applicationInput())).status).toBe(201);
    const refused = await app.post(path, applicationInput());
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await stored(app)).toHaveLength(1);
  });

  test('above the limit it is stored as over-limit, above ten times refused', async () => {
    await using app = await testApp({ env: { RATE_LIMIT_LEADS: '1/1m' } });
    const send = () => app.post(path, applicationInput({ token: formToken('application') }));
    for (let sent = 0; sent < 10; sent += 1) expect((await send()).status).toBe(201);
    const refused = await send();
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    const reasons = (await stored(app)).map((row) => row['quarantine_reason']);
    expect(reasons).toEqual([null, ...Array<string>(9).fill('over-limit')]);
  });

  test('quarantined applications do not count for an honest applicant', async () => {
    await using app = await testApp({ env: { RATE_LIMIT_LEADS: '1/1m' } });
    expect((await app.post(path, applicationInput({ homepage: 'x' }))).status).toBe(201);
    expect((await app.post(path, applicationInput({ homepage: 'x' }))).status).toBe(429);
    expect((await app.post(path, applicationInput({ token: formToken('application') }))).status).toBe(201);
    expect((await stored(app)).map((row) => row['quarantine_reason'])).toEqual(['honeypot', null]);
  });

  test('a consent text from a script or another site has no version', async () => {
    await using app = await testApp();
    const copy = { acceptance_message: applicationConsent.text };
    await app.post(path, applicationInput(copy));
    const signed = { ...copy, token: formToken('application') };
    await app.post(path, applicationInput(signed), { origin: 'https://evil.example' });
    await app.post(path, applicationInput(signed));
    expect(await stored(app)).toMatchObject([
      { consent_text: copy.acceptance_message, consent_version: null, quarantine_reason: null },
      { consent_version: null, quarantine_reason: 'foreign-origin' },
      { consent_version: 1, quarantine_reason: null },
    ]);
  });

  test('an honest retry with the key of a quarantined application is stored', async () => {
    await using app = await testApp();
    const input = applicationInput({ token: formToken('application') });
    const key = { 'idempotency-key': 'application-1' };
    const junk = await app.post(path, { ...input, homepage: 'x' }, key);
    const good = await app.post(path, input, key);
    expect(good.text).not.toBe(junk.text);
    expect((await app.post(path, input, key)).text).toBe(good.text);
    expect((await stored(app)).map((row) => row['quarantine_reason'])).toEqual(['honeypot', null]);
  });

  test('by tRPC it is the same application', async () => {
    await using app = await testApp();
    const token = await app.get('/trpc/applications.formToken');
    expect(token.json()).toMatchObject({ result: { data: { minAgeMs: 3000, token: expect.any(String) } } });
    const created = await app.post('/trpc/applications.create', applicationInput());
    expect([created.status, created.json()]).toMatchObject([200, { result: { data: { id: 1 } } }]);
    const wrong = await app.post('/trpc/applications.create', applicationInput({ email: 'nobody' }));
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Invalid email format')]);
  });

  test('nobody can read any of it', async () => {
    await using app = await testApp();
    const provider = await insertProvider(app.db);
    await app.knows(provider);
    const input = applicationInput();
    expect((await app.post(path, input)).status).toBe(201);
    expect((await app.get(path)).status).toBe(405);
    for (const asked of [`${path}/1`, '/clinics', '/clinics?applied=true', '/api/providers', '/'])
      for (const client of [app, app.as(provider)])
        expect((await client.get(asked)).text).not.toContain(input.email);
  });
});

describe('the plain form', () => {
  function fields(overrides: Record<string, string> = {}): Record<string, string> {
    const typed = Object.entries(applicationInput()).map(([name, value]) => [name, String(value)] as const);
    return {
      ...Object.fromEntries(typed),
      acceptance_consent: 'true',
      acceptance_message: applicationConsent.text,
      homepage: '',
      ...overrides,
    };
  }
  function send(app: TestApp, values: Record<string, string>): Promise<Answer> {
    return app.post(path, new URLSearchParams(values).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
  }

  test('redirects to its page, which confirms, and stores the consent text', async () => {
    const clock = { ms: Date.now() };
    await using app = await testApp({ now: () => new Date(clock.ms) });
    const token = app.services.submissions.formTokens.issue('application');
    clock.ms += 10_000;
    const answer = await send(app, fields({ token }));
    expect([answer.status, answer.headers['location']]).toEqual([303, '/clinics?applied=true#provider-form']);
    expect(await stored(app)).toMatchObject([
      { consent_text: applicationConsent.text, consent_version: 1, quarantine_reason: null },
    ]);
    const { text } = await app.get('/clinics?applied=true');
    // Anyone may open the address.
    expect(text).toContain('Sent an application? Your application is in');
    expect(text).not.toContain(`action="${path}"`);
  });

  test('that failed is the page again, with values and errors, never cached', async () => {
    await using app = await testApp();
    const typed = fields({ email: 'nobody', message: '</textarea><script>alert(1)</script>' });
    delete typed['acceptance_consent'];
    const answer = await send(app, typed);
    expect(answer.status).toBe(422);
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
    expect(answer.headers['cache-control']).toBe('no-store');
    for (const shown of ['Invalid email format', 'value="nobody"', typed['practice_name'] ?? ''])
      expect(answer.text).toContain(shown);
    expect(answer.text).toContain('&lt;/textarea&gt;&lt;script&gt;alert(1)');
    expect(answer.text).not.toContain('<script>alert');
    expect(answer.text).not.toMatch(/<input[^>]*acceptance_consent[^>]*checked/);
    expect((await app.get('/clinics')).text).not.toContain('nobody');
    expect(await stored(app)).toEqual([]);
  });
});

describe('the offer', () => {
  test('with a deadline ends for everyone at the deadline', async () => {
    const clock = { ms: Date.parse('2027-02-28T12:00:00Z') };
    await using app = await testApp({
      env: { OFFER_ENDS_AT: '2027-02-28T13:30:00+01:00' },
      now: () => new Date(clock.ms),
    });
    const before = await app.get('/clinics');
    expect(before.text).toContain('role="timer"');
    expect(before.text).toContain('2027-02-28T12:30:00.000Z');
    clock.ms += 30 * 60_000;
    const after = await app.get('/clinics', { 'if-none-match': String(before.headers.etag) });
    expect(after.status).toBe(200);
    expect(after.text).not.toContain('role="timer"');
    expect(after.text).toContain('id="special-offer"');
  });

  test('without a deadline starts at 14 days, 23:59:52 with each visit', async () => {
    await using app = await testApp();
    const { text } = await app.get('/clinics');
    expect(text).toContain('14 days, 23 hours, 59 minutes');
    expect(text).toMatch(/>52</);
  });
});
