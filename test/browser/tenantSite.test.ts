import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { consentRecords, leads, providers } from '#server/db/schema/index.ts';
import { chrome } from '#shared/brand/chrome.ts';
import { location, network } from '#shared/brand/map.ts';
import { messages } from '#shared/brand/messages.ts';
import { microsite, paymentPlans } from '#shared/brand/microsite.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { mapPatience, middle } from '#test/support/mapVisit.ts';
import { fillLeadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';

const logo = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" fill="#4b157a"/></svg>')}`;

test('a provider’s host shows its name and logo and gets every lead', async () => {
  meets(`
    D.people.07 D.hosts.24 D.hosts.25 D.leads.40 D.conformity.15 D.conformity.25 D.conformity.26
    P1.site.01 P2.micro.11 P2.micro.17 P2.micro.18
  `);
  await using app = await browserApp();
  const provider = await insertProvider(app.db, {
    name: 'Dr. Host',
    practiceName: 'Host Practice',
    domain: 'host-practice.example',
    zipCode: '99501',
    logoUrl: logo,
    acceptsFreeConsultation: true,
    acceptsFinancing: true,
  });
  await insertProvider(app.db, { name: 'Nearer Clinic', zipCode: '80202' });
  await app.knows('host-practice.example');
  await using visitor = await visit(app, { host: 'host-practice.example' });
  const { page } = visitor;
  await page.goto('/');
  expect(await page.title()).toContain('Host Practice');
  const header = page.getByRole('banner');
  expect(
    await header
      .locator('img')
      .first()
      .evaluate((image: HTMLImageElement) => image.naturalWidth),
  ).toBe(120);
  await page.getByRole('heading', { name: microsite.formHeading.freeConsultation }).waitFor();
  await page.getByText(paymentPlans.price).first().waitFor();
  await visitor.expectAccessible();
  const { first_name, last_name, email, phone } = leadInput();
  await fillLeadForm(page, { first_name, last_name, email, phone, zip_code: '80202' });
  await submitButton(page).click();
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  await page.getByText('Host Practice').first().waitFor();
  const [lead] = await app.db.select().from(leads);
  expect(lead).toMatchObject({ providerId: provider.id, matchMethod: 'tenant' });
  const [evidence] = await app.db.select().from(consentRecords);
  expect(evidence).toMatchObject({
    formKey: 'microsite',
    host: 'host-practice.example',
    sellerProviderId: provider.id,
    sellerName: 'Host Practice',
  });
});

test('a provider named like a script is shown as text and runs nothing', async () => {
  await using app = await browserApp();
  const name = '</script><script>alert(1)</script><img src=x onerror=alert(2)> $& "quoted" \u2028';
  await insertProvider(app.db, {
    name,
    practiceName: null,
    domain: 'hostile.example',
    address: '<!--<script>',
    website: 'javascript:alert(3)',
    acceptsFreeConsultation: true,
  });
  await app.knows('hostile.example');
  await using visitor = await visit(app, { host: 'hostile.example' });
  const { page } = visitor;
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto('/');
  await page.getByText('</script><script>alert(1)</script>').first().waitFor();
  expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
  expect(dialogs).toEqual([]);
  expect(await page.locator('script:not([src]):not([type*=json]):not([data-script])').count()).toBe(0);
});

test('a provider without practice name, logo and offers has a complete page', async () => {
  meets('P2.micro.12 P2.micro.19');
  await using app = await browserApp();
  await insertProvider(app.db, {
    name: 'Dr. Bare',
    practiceName: null,
    domain: 'bare.example',
    logoUrl: null,
    imageUrl: null,
    phone: null,
    website: null,
    address: null,
    acceptsFreeConsultation: false,
    acceptsFinancing: false,
  });
  await app.knows('bare.example');
  await using visitor = await visit(app, { host: 'bare.example', width: 360 });
  const { page } = visitor;
  await page.goto('/');
  await page.getByRole('heading', { name: microsite.formHeading.qualify }).waitFor();
  expect(await page.getByText(paymentPlans.price).count()).toBe(0);
  await visitor.expectAccessible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('a logo that fails to load is replaced by the name', async () => {
  meets('P1.site.03');
  await using app = await browserApp();
  await insertProvider(app.db, {
    name: 'Dr. Nologo',
    practiceName: 'Nologo Practice',
    domain: 'nologo.example',
    logoUrl: '/no-such-logo.png',
  });
  await app.knows('nologo.example');
  await using visitor = await visit(app, { host: 'nologo.example', expectedConsole: /404/ });
  const { page } = visitor;
  await page.goto('/');
  await expect.poll(() => page.getByRole('banner').getByText('Dr. Nologo').isVisible(), patience).toBe(true);
});

test('a deactivated provider loses its site and is not found by ?providerId=', async () => {
  meets('D.hosts.11 D.hosts.16');
  await using app = await browserApp();
  const provider = await insertProvider(app.db, {
    practiceName: 'Switched Practice',
    domain: 'switched.example',
  });
  await app.knows(provider);
  await using visitor = await visit(app, { expectedConsole: /404/ });
  const { page } = visitor;
  await page.goto(`/?providerId=${provider.id}`);
  await page.getByText('Switched Practice').first().waitFor();
  await app.db.update(providers).set({ status: 'f' }).where(eq(providers.id, provider.id));
  await expect.poll(async () => (await app.get(`/?providerId=${provider.id}`)).status, patience).toBe(404);
  await page.goto(`/?providerId=${provider.id}`);
  await page.getByText(messages.providerNotFound.title).first().waitFor();
  await expect
    .poll(async () => (await app.as('switched.example').get('/')).text, patience)
    .not.toContain('Switched Practice');
});

test('a provider’s host shows its own place at /map, without other providers', async () => {
  meets('D.conformity.19 D.conformity.24 D.conformity.25 P2.routes.25 P2.nav.12');
  await using app = await browserApp();
  await insertProvider(app.db, {
    name: 'Dr. Place',
    practiceName: 'Place Practice',
    domain: 'place.example',
    address: '1 Place Street',
    ...middle,
  });
  await insertProvider(app.db, { name: 'Competing Clinic' });
  await app.knows('place.example');
  for (const width of [360, 1280]) {
    await using visitor = await visit(app, { host: 'place.example', width });
    const { page, context } = visitor;
    const asked: string[] = [];
    context.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/');
    if (width === 1280) await page.getByRole('link', { name: chrome.nav.providerMap }).first().click();
    else await page.goto('/map');
    await page.getByRole('heading', { level: 1, name: location.title }).waitFor(patience);
    await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
    expect(asked.filter((path) => path.startsWith('/api/providers'))).toEqual([]);
    expect(await page.getByText('Competing Clinic').count()).toBe(0);
    expect(await page.getByText('1 Place Street').first().isVisible()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await visitor.expectAccessible();
    await page.getByRole('main').getByRole('link', { name: network.list.request }).click();
    await page.getByRole('heading', { name: microsite.headline }).waitFor(patience);
    expect(new URL(page.url()).hash).toBe('#provider-form');
  }
});

test('on the main domain a microsite’s lead is its provider’s, not the nearer one’s', async () => {
  meets('P2.micro.16');
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { zipCode: '99501' });
  await insertProvider(app.db, { zipCode: '80202' });
  await app.knows(provider);
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto(`/microsite?providerId=${provider.id}`);
  const { first_name, last_name, email, phone } = leadInput();
  await fillLeadForm(page, { first_name, last_name, email, phone, zip_code: '80202' });
  const sent = page.waitForRequest(/\/trpc\/leads\.create/);
  await submitButton(page).click();
  expect((await sent).postDataJSON()).toMatchObject({ providerId: provider.id });
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  const [lead] = await app.db.select().from(leads);
  expect(lead).toMatchObject({ providerId: provider.id, matchMethod: 'requested' });
});
