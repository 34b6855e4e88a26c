import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Page } from 'playwright';
import { writeWithClock } from '#client/sections/providerCard/OpenNow.tsx';
import { consentRecords, leads, type ProviderInsert, providers } from '#server/db/schema/index.ts';
import { brand } from '#shared/brand/brand.ts';
import { chrome } from '#shared/brand/chrome.ts';
import { location, network } from '#shared/brand/map.ts';
import { messages } from '#shared/brand/messages.ts';
import { clinicDetails, microsite, npiAddress, paymentPlans } from '#shared/brand/microsite.ts';
import { openingTexts } from '#shared/formats/openingTexts.ts';
import { parseHours } from '#shared/providers/detailValues.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { mapPatience, middle } from '#test/support/mapVisit.ts';
import { fillLeadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { readFirstScreen } from '#test/support/firstScreen.ts';
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

const bare = { practiceName: null, address: null, website: null, logoUrl: null, imageUrl: null };
const open = parseHours('Mon-Sun 00:00-24:00') ?? null;
const fixtures: Record<string, Partial<ProviderInsert>> = {
  'only a name, a ZIP and a phone': { name: 'Dr. Bare', ...bare },
  'all fields': {
    name: 'Dr. Full',
    practiceName: 'Full Practice',
    address: '7 Front Street, Denver, CO',
    imageUrl: logo,
    clinicianName: 'Ada Lark',
    credential: 'MD',
    npi: '1234567893',
    certifiedSince: '2019-05-01',
    about: 'We are three.\nWe speak plainly.',
    hours: open,
    timeZone: 'America/Denver',
    languages: ['en', 'es'],
    pictures: ['/favicon.svg', '/icon-192.png'],
    bookingUrl: 'https://booking.example/full',
    acceptsFreeConsultation: true,
    acceptsFinancing: true,
  },
  'the longest values': {
    name: 'Longname '.repeat(22).trim(),
    practiceName: `${'W'.repeat(60)} ${'practice '.repeat(15)}`.trim(),
    address: `1 ${'Very Long '.repeat(46)}Street, Denver, CO`,
    phone: '+1 (303) 555-0142 extension 12345678901',
    imageUrl: logo,
    clinicianName: 'Ada '.repeat(49).trim(),
    credential: 'MD, '.repeat(24).trim(),
    about: `${'Unbroken'.repeat(120)}\n${'Words and more words. '.repeat(40)}`.trim(),
    hours: parseHours('Mon-Sun 06:15-12:45, 13:15-23:45') ?? null,
    languages: ['en', 'es', 'fr', 'de', 'pt', 'zh', 'ar', 'hi', 'ru', 'vi', 'ko', 'tl', 'pl', 'ja', 'it'],
    acceptsFreeConsultation: true,
    acceptsFinancing: true,
  },
};

test.each(Object.entries(fixtures))('with %s a clinic’s first screen is complete', async (kind, values) => {
  meets('P2.micro.12 P2.micro.19');
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { zipCode: '80202', domain: 'fixture.example', ...values });
  await app.knows('fixture.example');
  await using visitor = await visit(app, { host: 'fixture.example', width: 360 });
  const { page } = visitor;
  await page.goto('/');
  await page.locator('[data-call-bar] a[href="#provider-form"]').waitFor();
  const label = provider.practiceName ?? provider.name;
  const offer = provider.acceptsFreeConsultation ? 'freeConsultation' : 'qualify';
  await page.getByRole('heading', { name: microsite.formHeading[offer] }).waitFor();
  expect((await page.getByText(paymentPlans.price).count()) > 0).toBe(provider.acceptsFinancing);
  for (const [width, height] of [
    [360, 740],
    [768, 1024],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    const request = microsite.request.toLowerCase();
    const read = async () => {
      const shown = await readFirstScreen(page);
      return { ...shown, requests: shown.texts.filter((text) => text.toLowerCase() === request).length };
    };
    // The bar follows the form with a frame or two.
    await expect.poll(read, patience).toMatchObject({
      ...{ name: true, phone: true, town: true, scrolls: false, empty: [], bareHeadings: [], requests: 1 },
      ...(width < 1024 ? { toForm: true } : { toForm: false, field: true }),
    });
    const screen = await read();
    expect(screen.bands).toBeLessThanOrEqual(1);
    for (const value of [label, provider.phone, '7 Front Street', 'Ada Lark, MD'])
      expect({ value, count: screen.texts.filter((text) => text === value).length < 2 }).toEqual({
        value,
        count: true,
      });
    // Only in the certification line.
    expect(screen.texts.filter((text) => text.includes(brand.name))).toEqual([brand.name]);
    await visitor.expectAccessible();
  }
  // The bar stays while only the form's edge is in view.
  await page.setViewportSize({ width: 360, height: 740 });
  const top = await page.locator('#provider-form').evaluate((element) => element.getBoundingClientRect().top);
  await page.setViewportSize({ width: 360, height: Math.ceil(top) + 20 });
  await page.evaluate(() => new Promise((resolve) => void requestAnimationFrame(() => setTimeout(resolve))));
  expect(await page.locator('[data-call-bar] a').last().isVisible()).toBe(true);
  if (kind === 'the longest values') await expectHoursInOneLine(page);
  // Without an address, the ZIP code's town.
  const place = await page.locator('main address').first().innerText();
  expect(place).toContain(provider.address === null ? 'Denver, CO 80202' : '80202');
  if (kind === 'all fields') await walkAsOwner(page, label);
});

/** With the time there, and when that changes: also the longest text takes one line of a phone. */
async function expectHoursInOneLine(page: Page): Promise<void> {
  const line = page.locator('[data-open-now]');
  await expect
    .poll(() => line.textContent(), patience)
    .toMatch(/^(Open|Closed), \d+:\d\d [AP]M · (until|opens( \w{3},)?) \d+:\d\d [AP]M$/);
  await page.setViewportSize({ width: 360, height: 740 });
  const height = () => line.evaluate((element) => element.getBoundingClientRect().height);
  const before = await height();
  const longest = { isOpen: false, clock: '10:46 AM', until: 'Wednesday, 10:00 AM', changesAtMs: 0 };
  const text = writeWithClock(longest, 'Denver');
  expect(text).toBe('Closed, 10:46 AM · opens Wed, 10:00 AM');
  await line.evaluate((element, longText) => (element.textContent = longText), text);
  expect(await height()).toBe(before);
  expect(before).toBeLessThan(30);
}

/** What an owner looks for on the own domain. */
async function walkAsOwner(page: Page, label: string): Promise<void> {
  expect(await page.title()).toMatch(new RegExp(`^${label}`));
  expect(await page.locator('meta[property="og:site_name"]').getAttribute('content')).toBe(label);
  const [icon, jsonLd] = await Promise.all([
    page.evaluate(async () => (await fetch('/favicon.svg')).text()),
    page.locator('script[type="application/ld+json"]').textContent(),
  ]);
  expect(icon).toContain('>F<');
  expect(jsonLd).toContain(
    '"streetAddress":"7 Front Street","addressLocality":"Denver","addressRegion":"CO"',
  );
  expect(jsonLd).toContain('"openingHours":["Mo 00:00-23:59"');
  await expect
    .poll(() => page.locator('[data-open-now]').textContent())
    .toMatch(/^Open now, \d+:\d\d [AP]M in Denver$/);
  const main = page.getByRole('main');
  for (const text of ['1234567893', '2019', 'English, Spanish', 'We speak plainly.', openingTexts.allDay])
    await main.getByText(text).first().waitFor();
  const registry = main.getByRole('link', { name: '1234567893' });
  expect(await registry.getAttribute('href')).toBe(`${npiAddress}1234567893`);
  expect(await registry.getAttribute('rel')).toContain('noreferrer');
  expect(await main.getByRole('link', { name: clinicDetails.book }).getAttribute('href')).toBe(
    'https://booking.example/full',
  );
  await main.getByText(clinicDetails.certified.label).click();
  await main.getByText(clinicDetails.certified.text).waitFor();
  const directions = main.getByRole('link', { name: network.list.directions }).first();
  expect(await directions.getAttribute('href')).toContain('7%20Front%20Street');
  expect(await directions.getAttribute('rel')).toContain('noreferrer');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  const bar = page.locator('[data-call-bar]');
  const request = bar.getByRole('link', { name: microsite.request });
  await expect.poll(() => request.isVisible(), patience).toBe(true);
  // As a finger does. Playwright's click first scrolls what is within the page's scroll padding, and the bar hides.
  const box = await request.boundingBox();
  if (box === null) throw new Error('The bar is hidden');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  // The form is in view: the bar leaves it the screen.
  await expect.poll(() => bar.isVisible(), patience).toBe(false);
  expect(await page.locator('#field-first_name').isVisible()).toBe(true);
  await page.goto('/map');
  await main.getByRole('link', { name: location.home }).click();
  await page.getByRole('heading', { level: 1, name: label }).waitFor(patience);
}

test('a logo that fails to load is replaced by the name, and a picture by nothing', async () => {
  meets('P1.site.03');
  await using app = await browserApp();
  await insertProvider(app.db, {
    name: 'Dr. Nologo',
    practiceName: 'Nologo Practice',
    domain: 'nologo.example',
    logoUrl: '/no-such-logo.png',
    pictures: ['/no-such-picture.png', '/nor-this.png'],
    bookingUrl: 'https://booking.example/nologo',
  });
  await app.knows('nologo.example');
  await using visitor = await visit(app, { host: 'nologo.example', expectedConsole: /404/ });
  const { page } = visitor;
  await page.goto('/');
  await expect.poll(() => page.getByRole('banner').getByText('Dr. Nologo').isVisible(), patience).toBe(true);
  const details = page.locator('section:has(#contact-title)');
  await details.getByRole('link', { name: clinicDetails.book }).scrollIntoViewIfNeeded();
  await expect.poll(() => details.getByAltText(clinicDetails.picture).count(), patience).toBe(0);
  const heights = await details
    .locator('ul:has(> li:empty), ul > li:empty')
    .evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().height));
  expect(heights).toEqual([0, 0, 0]);
  // Nothing of the team is known.
  await details.getByText(clinicDetails.certification, { exact: true }).waitFor();
  expect(await details.getByText(clinicDetails.team).count()).toBe(0);
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
    if (width === 1280) await page.getByRole('link', { name: chrome.nav.directions }).first().click();
    else await page.goto('/map');
    await page.getByRole('heading', { level: 1, name: location.title }).waitFor(patience);
    await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(mapPatience);
    expect(asked.filter((path) => path.startsWith('/api/providers'))).toEqual([]);
    expect(await page.getByText('Competing Clinic').count()).toBe(0);
    expect(await page.getByRole('main').getByText('Dr. Place').count()).toBe(0);
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
