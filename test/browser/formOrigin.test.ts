import { describe, expect, test } from 'vitest';
import { browserApp, visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { fillLeadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';
import type { TestApp } from '#test/support/testApp.ts';

async function listLeads({ sql }: TestApp): Promise<Record<string, unknown>[]> {
  return [
    ...(await sql`
      select quarantine_reason as reason, c.form_key as form, c.text_known as known, origin, fetch_site as site
      from leads l join consent_records c on c.lead_id = l.id order by l.id`),
  ];
}

function typed() {
  const { first_name, last_name, email, phone, zip_code } = leadInput();
  return { first_name, last_name, email, phone, zip_code };
}

describe.each([true, false])('a browser, scripts %s', (javaScript) => {
  test('a post from our own page is never foreign, on the main or a provider’s host', async () => {
    meets('D.leads.88');
    await using app = await browserApp();
    const provider = await insertProvider(app.db, { domain: 'origin-clinic.example' });
    await app.knows(provider);
    for (const host of ['localhost', 'origin-clinic.example', 'www.origin-clinic.example']) {
      await using visitor = await visit(app, { host, javaScript });
      const { page } = visitor;
      await page.goto('/');
      await fillLeadForm(page, typed());
      await submitButton(page).click();
      await page.waitForURL('**/success*');
    }
    const own = { reason: null, known: true };
    expect(await listLeads(app)).toEqual([
      { ...own, form: 'landing', origin: `http://localhost:${app.port}`, site: 'same-origin' },
      // Over http browsers send Sec-Fetch-Site to loopback only.
      { ...own, form: 'microsite', origin: `http://origin-clinic.example:${app.port}`, site: null },
      { ...own, form: 'microsite', origin: `http://www.origin-clinic.example:${app.port}`, site: null },
    ]);
  });
});

test('a post from another site’s page with a fetched token is quarantined', async () => {
  meets('D.abuse.36');
  await using app = await browserApp();
  const main = `http://localhost:${app.port}`;
  const { token } = (await app.get('/api/leads/token?form=landing')).json() as { token: string };
  await using visitor = await visit(app, {
    host: 'evil.example',
    javaScript: false,
    expectedHosts: [`localhost:${app.port}`],
  });
  const { page } = visitor;
  const fields = { ...typed(), form: 'landing', token, acceptance_consent: 'on' };
  const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
  const body = `<title>Trap</title><form action="${main}/api/leads" method="post">${inputs.join('')}<button>Go</button></form>`;
  await page.route('**/trap', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('/trap');
  await page.getByRole('button', { name: 'Go' }).click();
  await page.waitForURL(`${main}/success*`);
  expect(await listLeads(app)).toEqual([
    {
      reason: 'foreign-origin',
      form: 'api',
      known: false,
      origin: `http://evil.example:${app.port}`,
      site: 'cross-site',
    },
  ]);
});
