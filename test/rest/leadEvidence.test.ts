import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { getConsentText } from '#shared/brand/consentTexts.ts';
import { questionsVersion } from '#shared/brand/questions.ts';
import { formVersions } from '#shared/leads/leadForms.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { meets } from '#test/support/meets.ts';
import { type Client, testApp } from '#test/support/testApp.ts';

test('the evidence of a lead contains the form as the page shows it', async () => {
  meets('D.hosts.17 D.leads.41');
  await using app = await testApp();
  const provider = await insertProvider(app.db, { acceptsFreeConsultation: true });
  const query = `?providerId=${provider.id}`;
  const pages = [
    { at: app as Client, page: '/', query: '', form: 'landing' as const },
    { at: app.as(provider), page: '/', query: '', form: 'microsite' as const },
    { at: app as Client, page: `/${query}`, query, form: 'microsite' as const },
    { at: app as Client, page: `/microsite${query}`, query, form: 'microsite' as const },
  ];
  await expect.poll(async () => (await app.get(`/${query}`)).status).toBe(200);
  for (const { at, page, query: sentQuery, form } of pages) {
    const shown = (await at.get(page)).text.replace(/(name="token" value=")[^"]+/, '$1');
    const answer = await at.post(`/api/leads${sentQuery}`, leadInput({ form, token: formToken(form) }));
    expect(answer.status).toBe(201);
    const [evidence] = await app.sql<{ html: string | null; hash: string; seller: string | null }[]>`
      select html, form_sha256 as hash, seller_provider_id as seller from consent_records
      left join consent_form_snapshots on sha256 = form_sha256
      where lead_id = ${(answer.json() as { id: number }).id}`;
    expect(evidence?.html).toMatch(new RegExp(`^<form.*data-lead-form="${form}".*</form>$`, 's'));
    expect(shown).toContain(evidence?.html);
    expect(evidence?.hash).toBe(
      createHash('sha256')
        .update(evidence?.html ?? '')
        .digest('hex'),
    );
    expect(evidence?.seller).toBe(form === 'microsite' ? String(provider.id) : null);
  }
});

test('the evidence has the form’s version, the purpose and the client’s clock', async () => {
  await using app = await testApp();
  const clock = '2026-06-01T11:59:58.456Z';
  const sent = [
    leadInput({ form: 'landing', token: formToken('landing'), client_clock: clock }),
    leadInput({ form: 'landing', token: formToken('landing'), client_clock: 'noon' }),
    leadInput({ client_clock: '0000-01-01T00:00:00Z' }),
  ];
  for (const { acceptance_message: _message, ...input } of sent)
    expect((await app.post('/api/leads', input)).status).toBe(201);
  const rows = await app.sql`
    select form_version, purpose, client_clock, prechecked, hash_version from consent_records order by id`;
  const purpose = getConsentText('landing')?.purpose;
  const version = formVersions.landing + questionsVersion;
  const shown = { form_version: version, purpose, prechecked: false, hash_version: 4 };
  expect([...rows]).toEqual([
    { ...shown, client_clock: '2026-06-01 11:59:58.456+00' },
    { ...shown, client_clock: null },
    { form_version: null, purpose: null, client_clock: null, prechecked: null, hash_version: 4 },
  ]);
});

test('after the forms table was emptied, the form is stored again', async () => {
  await using app = await testApp();
  expect(
    (await app.post('/api/leads', leadInput({ form: 'landing', token: formToken('landing') }))).status,
  ).toBe(201);
  await app.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`truncate consent_records, consent_form_snapshots`;
  });
  expect(
    (await app.post('/api/leads', leadInput({ form: 'landing', token: formToken('landing') }))).status,
  ).toBe(201);
  expect(
    await app.sql`select 1 from consent_records join consent_form_snapshots on sha256 = form_sha256`,
  ).toHaveLength(1);
});

test('a form of another site with a token is quarantined, with its headers', async () => {
  meets('D.abuse.36');
  await using app = await testApp();
  const { first_name, last_name, email, phone, zip_code } = leadInput();
  const fields = { first_name, last_name, email, phone, zip_code, acceptance_consent: 'on', form: 'landing' };
  const body = new URLSearchParams({ ...fields, token: formToken('landing') }).toString();
  const answer = await app.post('/api/leads', body, {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'https://evil.example',
    referer: 'https://evil.example/trap',
    'sec-fetch-site': 'cross-site',
  });
  expect([answer.status, answer.headers['location']]).toEqual([303, '/success?noProvider=true']);
  const rows = await app.sql`
    select quarantine_reason, c.form_key, text_known, form_sha256, ms_from_render, origin, fetch_site, page_url
    from leads l join consent_records c on c.lead_id = l.id`;
  expect([...rows]).toEqual([
    {
      quarantine_reason: 'foreign-origin',
      form_key: 'api',
      text_known: false,
      form_sha256: null,
      ms_from_render: null,
      origin: 'https://evil.example',
      fetch_site: 'cross-site',
      page_url: 'https://evil.example/trap',
    },
  ]);
});

test('JSON from another site is quarantined, from own pages and scripts not', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db);
  await app.knows(provider);
  const own = { origin: `https://www.${provider.domain}`, 'sec-fetch-site': 'same-origin' };
  const foreign = { origin: 'https://evil.example' };
  const site = app.as(provider);
  const input = () => leadInput({ form: 'microsite', token: formToken('microsite') });
  await site.post('/api/leads', input(), foreign);
  expect((await site.post('/trpc/leads.create', input(), foreign)).status).toBe(403);
  await site.post('/trpc/leads.create', input(), { 'sec-fetch-site': 'cross-site' });
  await site.post('/api/leads', input(), own);
  await site.post('/trpc/leads.create', input(), { origin: `http://${provider.domain}:${app.port}` });
  await site.post('/api/leads', leadInput());
  const rows = await app.sql`select quarantine_reason as reason from leads order by id`;
  expect(rows.map(({ reason }) => reason)).toEqual(['foreign-origin', 'foreign-origin', null, null, null]);
});

test('JSON without a token of a form is no evidence of that form', async () => {
  meets('P3.lead.16 P7.call.19 D.leads.84 D.abuse.34');
  await using app = await testApp();
  const said = getConsentText('landing')?.text ?? '';
  await app.post('/api/leads', leadInput({ form: 'landing', acceptance_message: said }));
  const rows = await app.sql`
    select quarantine_reason, c.form_key, text_known, text_shown, form_sha256
    from leads l join consent_records c on c.lead_id = l.id`;
  expect([...rows]).toEqual([
    { quarantine_reason: null, form_key: 'api', text_known: false, text_shown: said, form_sha256: null },
  ]);
});
