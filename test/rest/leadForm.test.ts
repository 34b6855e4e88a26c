import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { meets } from '#test/support/meets.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';
import { waitUntil } from '#test/support/waitFor.ts';

async function leadCount({ sql }: Pick<TestApp, 'sql'>): Promise<number> {
  const [row] = await sql<{ n: string }[]>`select count(*) as n from leads`;
  return Number(row?.n);
}

function urlencoded(fields: Record<string, string>): { body: string; headers: Record<string, string> } {
  return {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  };
}

test('stray punctuation around a providerId doesn’t change the request', async () => {
  await using app = await testApp();
  await insertProvider(app.db, { zipCode: '80202' });
  const far = await insertProvider(app.db, { zipCode: '33131' });
  await app.knows(far);
  for (const written of [`${far.id}.`, `0${far.id}`, `${far.id}%20`, `%22${far.id}%22`, `${far.id})`]) {
    const rest = await app.post(`/api/leads?providerId=${written}`, leadInput());
    expect([written, rest.json()]).toMatchObject([written, { providerId: far.id }]);
    const input = { ...leadInput(), providerId: decodeURIComponent(written) };
    const trpc = await app.post('/trpc/leads.create', input);
    expect([written, trpc.json()]).toMatchObject([written, { result: { data: { providerId: far.id } } }]);
    const page = await app.get(`/?providerId=${written}`);
    expect([written, page.status]).toEqual([written, 200]);
    expect(page.text).toContain(`/api/leads?providerId=${far.id}"`);
  }
});

describe('the plain form', () => {
  test('is matched with the provider of the URL of its page', async () => {
    await using app = await testApp();
    const near = await insertProvider(app.db, { zipCode: '80202' });
    const asked = await insertProvider(app.db, { zipCode: '90210' });
    await waitUntil(async () => (await app.get(`/?providerId=${asked.id}`)).status === 200);
    const { first_name, last_name, email, phone } = leadInput();
    const { body, headers } = urlencoded({
      ...{ first_name, last_name, email, phone },
      zip_code: '80202',
      acceptance_consent: 'on',
    });
    const referer = `${app.url}/start?providerId=${asked.id}`;
    const answer = await app.request('POST', '/api/leads', { headers: { ...headers, referer }, body });
    expect(answer.headers['location']).toBe(`/success?providerId=${asked.id}`);
    const elsewhere = `https://other.example/?providerId=${asked.id}`;
    const foreign = await app.request('POST', '/api/leads', {
      headers: { ...headers, referer: elsewhere },
      body: body.replace('80202', '80203'),
    });
    expect(foreign.headers['location']).toBe(`/success?providerId=${near.id}`);
  });

  const fields = (overrides: Record<string, string> = {}): Record<string, string> => {
    const { first_name, last_name, email, phone, zip_code } = leadInput();
    return {
      first_name,
      last_name,
      email,
      phone,
      zip_code,
      acceptance_consent: 'on',
      form: 'landing',
      website: '',
      ...overrides,
    };
  };
  const send = (app: TestApp, values: Record<string, string>, path = '/api/leads'): Promise<Answer> => {
    const { body, headers } = urlencoded(values);
    return app.post(path, body, headers);
  };

  test('redirects to the confirmation page of the matched provider', async () => {
    meets('D.leads.03');
    await using app = await testApp();
    const provider = await insertProvider(app.db, { zipCode: '80202' });
    const matched = await send(app, fields());
    expect([matched.status, matched.headers['location']]).toEqual([
      303,
      `/success?providerId=${provider.id}`,
    ]);
    const unmatched = await send(app, fields({ zip_code: '00000' }));
    expect([unmatched.status, unmatched.headers['location']]).toEqual([303, '/success?noProvider=true']);
    expect(await leadCount(app)).toBe(2);
  });

  test('is accepted with the token of the page, quarantined without one', async () => {
    const clock = { ms: Date.now() };
    await using app = await testApp({ now: () => new Date(clock.ms) });
    const token = app.services.submissions.formTokens.issue('landing');
    clock.ms += 10_000;
    expect((await send(app, fields({ token }))).status).toBe(303);
    expect((await send(app, fields())).status).toBe(303);
    const rows = await app.sql`select quarantine_reason from leads order by id`;
    expect(rows.map((row) => row['quarantine_reason'])).toEqual([null, 'token-missing']);
  });

  test('only a checked box is consent', async () => {
    await using app = await testApp();
    for (const value of ['', 'false', 'off', '0', 'no']) {
      const answer = await send(app, fields({ acceptance_consent: value }));
      expect([value, answer.status]).toEqual([value, 422]);
      expect(answer.text).not.toMatch(/<input[^>]*acceptance_consent[^>]*checked/);
    }
    expect((await send(app, fields({ acceptance_consent: 'true' }))).status).toBe(303);
    expect(await leadCount(app)).toBe(1);
  });

  test('sent twice stores one lead', async () => {
    await using app = await testApp();
    const values = fields();
    const [one, two] = await Promise.all([send(app, values), send(app, values)]);
    expect([one.status, two.status]).toEqual([303, 303]);
    expect(await leadCount(app)).toBe(1);
  });

  test('with errors is the page again, with messages and escaped values', async () => {
    await using app = await testApp();
    const typed = fields({ email: 'nobody', first_name: '"><script>alert(1)</script>' });
    delete typed['acceptance_consent'];
    const answer = await send(app, typed);
    expect(answer.status).toBe(422);
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.text).toContain('Invalid email format');
    expect(answer.text).toContain('You must agree to receive communications to continue.');
    expect(answer.text).toContain('value="nobody"');
    expect(answer.text).not.toContain('<script>alert(1)');
    expect(await leadCount(app)).toBe(0);
  });

  test('too many, too large or undecodable: the page again with that status', async () => {
    await using app = await testApp({ env: { RATE_LIMIT_LEADS: '1/1m' } });
    expect((await send(app, fields())).status).toBe(303);
    const limited = await send(app, fields());
    expect([limited.status, limited.headers['content-type']?.slice(0, 9)]).toEqual([429, 'text/html']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(app, fields({ junk: 'x'.repeat(40_000) }))).status).toBe(413);
    const broken = await app.request('POST', '/api/leads', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from([0x61, 0x3d, 0xff]),
    });
    expect(broken.status).toBe(400);
  });

  test('replays the answer of the script’s request with the same key, in any spelling', async () => {
    await using app = await testApp();
    const provider = await insertProvider(app.db, { zipCode: '80202' });
    await app.knows(provider);
    const typed = {
      ...leadInput({ first_name: ' Zo\u00eb  Ann ' }),
      form: 'landing',
      token: formToken('landing'),
    };
    const shown = 'One line\nand another';
    const json = { ...typed, acceptance_message: shown, attribution: { last: { utm_source: 'mail' } } };
    const key = 'the-same-key';
    const first = await app.post('/trpc/leads.create', json, { 'idempotency-key': key });
    expect(first.json()).toMatchObject({ result: { data: { providerId: provider.id } } });
    const plain = {
      ...Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, String(value)])),
      first_name: 'Zoe\u0308 Ann',
      acceptance_message: shown.replace('\n', '\r\n'),
      seller_shown: '',
      idempotency_key: key,
    };
    const again = await send(app, plain);
    expect(again.headers).toMatchObject({
      location: `/success?providerId=${provider.id}`,
      'idempotent-replayed': 'true',
    });
    expect(await leadCount(app)).toBe(1);
    const other = await send(app, { ...plain, last_name: 'Other' });
    expect(other.status).toBe(422);
  });

  test('with a script’s fields stores what its request would have stored', async () => {
    await using app = await testApp();
    const typed = fields({ token: formToken('landing') });
    const attribution = { first: { utm_source: 'mail' }, last: { gclid: 'click' } };
    const answer = await send(app, {
      ...typed,
      attribution: JSON.stringify(attribution),
      idempotency_key: 'k',
    });
    expect(answer.status).toBe(303);
    const touches = await app.sql`select touch, utm_source, gclid from lead_attribution order by touch`;
    expect(touches).toEqual([
      { touch: 'first', utm_source: 'mail', gclid: null },
      { touch: 'last', utm_source: null, gclid: 'click' },
    ]);
    for (const unusable of ['{', '[]', '"x"', 'null', `key\u0001`]) {
      const more = fields({
        token: formToken('landing'),
        attribution: unusable,
        idempotency_key: `${unusable}\u00e9`,
      });
      expect([unusable, (await send(app, more)).status]).toEqual([unusable, 303]);
    }
  });
});
