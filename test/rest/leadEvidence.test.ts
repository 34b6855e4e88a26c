import { expect, test } from 'vitest';
import { insertClinic, leadInput } from '#test/support/factories.ts';
import { type Client, testApp } from '#test/support/testApp.ts';

test('the evidence of a lead holds the very form its page shows, on a clinic’s host and for a clinic on the main site', async () => {
  await using app = await testApp();
  const clinic = await insertClinic(app.db, { acceptsFreeConsultation: true });
  const query = `?providerId=${clinic.id}`;
  const pages = [
    { at: app as Client, page: '/', query: '', form: 'landing' as const },
    { at: app.as(clinic), page: '/', query: '', form: 'microsite' as const },
    { at: app as Client, page: `/${query}`, query, form: 'microsite' as const },
    { at: app as Client, page: `/microsite${query}`, query, form: 'microsite' as const },
  ];
  await expect.poll(async () => (await app.get(`/${query}`)).status).toBe(200);
  for (const { at, page, query: sentQuery, form } of pages) {
    const shown = (await at.get(page)).text.replace(/(name="token" value=")[^"]+/, '$1');
    const answer = await at.post(`/api/leads${sentQuery}`, leadInput({ form }));
    const [evidence] = await app.sql<{ html: string | null; seller: string | null }[]>`
      select html, seller_provider_id as seller from consent_records
      left join consent_form_snapshots on sha256 = form_sha256
      where lead_id = ${(answer.json() as { id: number }).id}`;
    expect(evidence?.html).toMatch(new RegExp(`^<form.*data-lead-form="${form}".*</form>$`, 's'));
    expect(shown).toContain(evidence?.html);
    expect(evidence?.seller).toBe(form === 'microsite' ? String(clinic.id) : null);
  }
});

test('a database that was emptied beneath the process costs no lead: the form is stored again', async () => {
  await using app = await testApp();
  expect((await app.post('/api/leads', leadInput({ form: 'landing' }))).status).toBe(201);
  await app.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`truncate consent_records, consent_form_snapshots`;
  });
  expect((await app.post('/api/leads', leadInput({ form: 'landing' }))).status).toBe(201);
  expect(
    await app.sql`select 1 from consent_records join consent_form_snapshots on sha256 = form_sha256`,
  ).toHaveLength(1);
});
