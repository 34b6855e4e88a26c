import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { rateLimits } from '#server/db/schema/index.ts';
import { hashSource } from '#server/render/csp.ts';
import { messages } from '#shared/brand/messages.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { testApp } from '#test/support/testApp.ts';
import { waitFor } from '#test/support/waitFor.ts';

const typed = `"><script>alert(1)</script>`;

function fields(form: string): string {
  const values = {
    first_name: typed,
    last_name: '',
    email: 'not an address',
    phone: '12',
    zip_code: '80202',
    form,
  };
  return new URLSearchParams(values).toString();
}

const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

describe('a plain form that failed', () => {
  test('shows the page again with input and messages, and stores nothing', async () => {
    await using app = await testApp();
    const answer = await app.post('/api/leads', fields('landing'), headers);
    expect(answer.status).toBe(422);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['etag']).toBeUndefined();
    expect(answer.headers['content-security-policy']).toMatch(/script-src 'self' 'sha256-[^ ']+';/);
    expect(answer.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(answer.text).not.toContain('<script>alert');
    expect(answer.text).toContain('value="not an address"');
    expect((await app.get('/')).text).not.toContain('not an address');
  });

  test('on a provider’s page shows that page again', async () => {
    await using app = await testApp();
    const provider = await insertProvider(app.db, { name: 'Juniper Street Clinic', practiceName: null });
    await waitFor(async () => expect((await app.get(`/?providerId=${provider.id}`)).status).toBe(200));
    const answer = await app.post(`/api/leads?providerId=${provider.id}`, fields('microsite'), headers);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('Juniper Street Clinic');
    expect(answer.text).toContain('value="not an address"');
  });

  test('is compressed if the client accepts it', async () => {
    await using app = await testApp();
    const answer = await app.post('/api/leads', fields('landing'), { ...headers, 'accept-encoding': 'gzip' });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([422, 'gzip']);
    expect(answer.headers['vary']).toBe('Accept-Encoding');
    expect(answer.body.length).toBeLessThan(30_000);
    expect(gunzipSync(answer.body).toString()).toContain('value="not an address"');
  });

  test('is a small page with Retry-After after 30 failures of its network a minute', async () => {
    await using app = await testApp({ env: { TRUSTED_PROXIES: '1' } });
    const send = (ip: string, accept = 'gzip') =>
      app.post('/api/leads', fields('landing'), {
        ...headers,
        'accept-encoding': accept,
        'x-forwarded-for': ip,
      });
    const allowed = await Promise.all(Array.from({ length: 30 }, () => send('192.0.2.1')));
    expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([422]));
    const refused = await send('192.0.2.1', 'identity');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['cache-control']).toBe('no-store');
    expect(refused.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(refused.text).toContain('<html lang="en">');
    expect(refused.text).toContain(messages.tooManyFailures.title);
    expect(refused.body.length).toBeLessThan(4_000);
    const [, css = ''] = /<style>([^]*?)<\/style>/.exec(refused.text) ?? [];
    expect(refused.headers['content-security-policy']).toContain(hashSource(css));
    // Everybody else sees the page, and so does a form in order from the same network.
    expect((await send('198.51.100.1')).status).toBe(422);
    const { first_name, last_name, email, phone, zip_code } = leadInput();
    const valid = {
      first_name,
      last_name,
      email,
      phone,
      zip_code,
      acceptance_consent: 'true',
      form: 'landing',
    };
    const stored = await app.post('/api/leads', new URLSearchParams(valid).toString(), {
      ...headers,
      'x-forwarded-for': '192.0.2.1',
    });
    expect(stored.status).toBe(303);
    expect(await app.db.select().from(rateLimits)).toEqual([]);
  });

  test('during an outage is 503 with Retry-After, and counts no failure', async () => {
    await using app = await testApp({ env: { RATE_LIMIT_LEADS: 'off' } });
    const { first_name, last_name, email, phone, zip_code } = leadInput();
    const valid = { first_name, last_name, email, phone, zip_code, acceptance_consent: 'true' };
    const body = new URLSearchParams({ ...valid, form: 'landing' }).toString();
    await app.services.db.$client.end();
    const answers = await Promise.all(
      Array.from({ length: 31 }, () => app.post('/api/leads', body, headers)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    expect(answers.map((answer) => answer.headers['retry-after'])).toEqual(answers.map(() => '5'));
    // What was typed is kept in 30; then the page is as cheap as can be.
    const kept = answers.filter(({ text }) => text.includes(`value="${email}"`));
    expect(kept).toHaveLength(30);
    const [small] = answers.filter((answer) => !kept.includes(answer));
    expect(small?.text).toContain(messages.formNotTaken.title);
    expect(small?.body.length).toBeLessThan(4_000);
    expect((await app.post('/api/leads', fields('landing'), headers)).status).toBe(422);
  });

  test('above the submission limit counts no failure', async () => {
    await using app = await testApp({ env: { RATE_LIMIT_LEADS: '1/1h' } });
    const send = () => {
      const { first_name, last_name, email, phone, zip_code } = leadInput();
      const valid = { first_name, last_name, email, phone, zip_code, acceptance_consent: 'true' };
      return app.post('/api/leads', new URLSearchParams({ ...valid, form: 'landing' }).toString(), headers);
    };
    expect((await send()).status).toBe(303);
    for (let at = 0; at < 31; at += 1) expect((await send()).status).toBe(429);
    expect((await app.post('/api/leads', fields('landing'), headers)).status).toBe(422);
  });

  test('above the limit has the status and Retry-After', async () => {
    await using app = await testApp({ env: { RATE_LIMIT_LEADS: '1/1h' } });
    const send = () => {
      const { first_name, last_name, email, phone, zip_code } = leadInput();
      const valid = {
        first_name,
        last_name,
        email,
        phone,
        zip_code,
        acceptance_consent: 'true',
        form: 'landing',
      };
      return app.post('/api/leads', new URLSearchParams(valid).toString(), headers);
    };
    await send();
    const answer = await send();
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.text).toMatch(/name="email"[^>]*value="[^"]+@example.com"/);
  });
});
