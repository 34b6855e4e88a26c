import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { leadAttribution, leads } from '#server/db/schema/index.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { leadInput } from '#test/support/factories.ts';
import { fillLeadForm, submitButton } from '#test/support/fillLeadForm.ts';
import type { TestApp } from '#test/support/testApp.ts';

/** Sends the form of the open page and returns what was stored with the lead. */
async function sendLead(app: TestApp, page: Page, { asksZip = true } = {}) {
  const { first_name, last_name, email, phone } = leadInput();
  const zip = asksZip ? { zip_code: '80202' } : {};
  await fillLeadForm(page, { first_name, last_name, email, phone, ...zip });
  await submitButton(page).and(page.locator(':visible')).click();
  await page.waitForURL('**/success?*', patience);
  const rows = await app.db
    .select()
    .from(leadAttribution)
    .innerJoin(leads, eq(leads.id, leadAttribution.leadId))
    .where(eq(leads.email, email));
  const touches = rows.map(({ lead_attribution: row }) => row);
  return {
    first: touches.find(({ touch }) => touch === 'first'),
    last: touches.find(({ touch }) => touch === 'last'),
  };
}

test('a lead stores the first and the last visit, without the pages between', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  // The visit starts on a page without a form.
  await page.goto('/privacy?utm_source=mail&utm_campaign=spring&gclid=first-click', {});
  await page.goto('/terms');
  await page.goto(
    '/?utm_source=search&utm_medium=cpc&utm_term=clinic&utm_content=b&msclkid=m1&gbraid=g1&wbraid=w1',
    {},
  );
  await page.goto('/refunds');
  await page.goto('/');
  const { first, last } = await sendLead(app, page);
  expect(first).toMatchObject({
    utmSource: 'mail',
    utmCampaign: 'spring',
    gclid: 'first-click',
    landingPath: '/privacy',
    msclkid: null,
  });
  expect(last).toMatchObject({
    utmSource: 'search',
    utmMedium: 'cpc',
    utmTerm: 'clinic',
    utmContent: 'b',
    msclkid: 'm1',
    gbraid: 'g1',
    wbraid: 'w1',
    gclid: null,
    landingPath: '/',
  });
});

test('a step before scripts are loaded changes neither the address nor the visit', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app, { expectedConsole: /422|ERR_FAILED/ });
  const { page } = visitor;
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/start?utm_source=mail&gclid=g9', { waitUntil: 'commit' });
  await page.locator('[name=zip_code]').fill('80202');
  await page.unroute('**/assets/*.js');
  await page.getByRole('button', { name: stepForms.quiz.zip.next }).click();
  await expect
    .poll(() => new URL(page.url()).pathname + new URL(page.url()).search, patience)
    .toBe('/start?utm_source=mail&gclid=g9');
  await page.locator('html[data-live]').waitFor({ state: 'attached' });
  const { first } = await sendLead(app, page, { asksZip: false });
  expect(first).toMatchObject({ utmSource: 'mail', gclid: 'g9', landingPath: '/start' });
});

test('a visit from another site stores only its host', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/', { referer: 'https://search.example/?q=private+words' });
  const { first } = await sendLead(app, page);
  expect(first).toMatchObject({ referrerHost: 'search.example', landingPath: '/' });
  expect(JSON.stringify(first)).not.toContain('private');
});

test('with Global Privacy Control no attribution is stored or sent', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app, { optOut: 'header' });
  const { page } = visitor;
  await page.goto('/privacy?utm_source=mail&gclid=c1');
  await page.goto('/?utm_source=search');
  expect(await sendLead(app, page)).toEqual({ first: undefined, last: undefined });
  // What the form itself needs: that this tab sent a lead.
  expect(await page.evaluate(() => [localStorage.length, Object.keys(sessionStorage)])).toEqual([
    0,
    ['lead.request'],
  ]);
});
