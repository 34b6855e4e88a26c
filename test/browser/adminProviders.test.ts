import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { readLook } from '#test/support/look.ts';
import { meets } from '#test/support/meets.ts';
import type { TestApp } from '#test/support/testApp.ts';

const path = '/admin?tab=providers';
const middle = { latitude: 39.8283, longitude: -98.5795 };
/** Enough for the map's code and its first frame without a GPU, while other tests run. */

const card = (page: Page, name: string) => page.getByRole('region', { name });

async function twoProviders(app: TestApp): Promise<void> {
  await insertProvider(app.db, {
    name: 'Middle Clinic',
    practiceName: null,
    address: '1 Middle Street',
    website: 'middle.example.com',
    phone: '(303) 555-0142',
    email: 'middle@example.com',
    wordpressId: 71,
    url: 'https://cms.example/providers/middle/',
    ...middle,
  });
  await insertProvider(app.db, {
    name: 'Closed Clinic',
    status: 'f',
    latitude: null,
    longitude: null,
    wordpressId: null,
    url: 'https://cms.example/providers/closed/',
  });
}

/** Opens a provider's page at its domain, by the keyboard, and starts the check. */
async function checkDomain(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: `More about ${name}` }).press('Enter');
  await page.getByRole('menuitem', { name: 'Domain' }).press('Enter');
  const part = page.locator('#provider-domain');
  await expect.poll(() => part.evaluate((shown) => shown === document.activeElement), patience).toBe(true);
  await part.getByRole('button', { name: 'Check domain' }).press('Enter');
  await part.getByRole('button', { name: 'Check again' }).waitFor(patience);
  return part;
}

describe('the check of a domain', () => {
  test('says that the domain works, by keyboard only, also for viewers', async () => {
    await using app = await browserApp();
    await insertProvider(app.db, { name: 'Amber Quay', practiceName: null, domain: 'amber.localhost' });
    await app.knows('amber.localhost');
    await using visitor = await visitAdmin(app, { path, role: 'viewer' });
    const { page } = visitor;
    const part = await checkDomain(page, 'Amber Quay');
    const again = part.getByRole('button', { name: 'Check again' });
    await expect.poll(() => again.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await part.getByRole('status').first().innerText()).toBe('The domain works.');
    const found = part.getByRole('list', { name: 'Results' }).getByRole('listitem');
    expect(await found.allInnerTexts()).toEqual([
      expect.stringMatching(/^Domain name: Works\s+amber\.localhost points here: 127\.0\.0\.1\.$/),
      expect.stringMatching(/^Page: Works\s+Amber Quay responds with its page\.$/),
    ]);
    expect(await part.getByRole('table').count()).toBe(0);
    expect(await page.locator('#provider-settings').count()).toBe(0);
  });

  test('lists the records to set and copies them, at every width', async () => {
    await using app = await browserApp({
      env: { SITE_ADDRESSES: '203.0.114.10,2606:4700:0:1111:2222:3333:4444:5555' },
    });
    await insertProvider(app.db, { name: 'Birch Hollow', domain: 'birch-hollow-center.localhost' });
    await using visitor = await visitAdmin(app, { path, width: 360 });
    const { page, context } = visitor;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const part = await checkDomain(page, 'Birch Hollow');
    expect(await part.getByRole('status').first().innerText()).toBe('The domain doesn’t work yet.');
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect([width, Math.max(0, overflow)]).toEqual([width, 0]);
      await visitor.expectAccessible();
    }
    const rows = part.getByRole('row');
    expect((await rows.allInnerTexts()).slice(1).map((text) => text.split(/\s+/).slice(0, 3))).toEqual([
      ['A', 'birch-hollow-center.localhost', '203.0.114.10'],
      ['AAAA', 'birch-hollow-center.localhost', '2606:4700:0:1111:2222:3333:4444:5555'],
    ]);
    await part.getByRole('button', { name: /^Copy the A record/ }).click();
    await part.getByText('Copied: 203.0.114.10').waitFor(patience);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('203.0.114.10');
    // As on a page without HTTPS.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await part.getByRole('button', { name: /^Copy the AAAA record/ }).click();
    await part.getByText(/^Couldn’t copy/).waitFor(patience);
  });

  test('shows an alert if the check fails, and repeats it', async () => {
    await using app = await browserApp();
    await insertProvider(app.db, { name: 'Amber Quay', domain: 'amber.localhost' });
    await app.knows('amber.localhost');
    await using visitor = await visitAdmin(app, { path, expectedConsole: /Failed to load resource/ });
    const { page } = visitor;
    await page.route('**/trpc/admin.providers.checkDomain*', (route) => route.abort(), { times: 1 });
    const part = await checkDomain(page, 'Amber Quay');
    expect(await part.getByRole('alert').innerText()).toMatch(/^Error\n+Failed to check the domain/);
    await part.getByRole('button', { name: 'Check again' }).click();
    await part.getByText('The domain works.').waitFor(patience);
    await expect.poll(() => part.getByRole('alert').count(), patience).toBe(0);
  });
});

describe('the list of providers', () => {
  test('shows each group behind its toggle, with the details of each provider', async () => {
    meets(`
      P2.admin.39 P2.admin.41 P2.admin.42 P2.admin.44 P2.admin.45 P2.admin.48 P2.admin.50
      P2.admin.52 P2.admin.53 P2.admin.54 P4.state.32 P7.call.15
    `);
    await using app = await browserApp();
    await twoProviders(app);
    await using visitor = await visitAdmin(app, { path });
    const { page } = visitor;
    const list = page
      .locator('section', { has: page.getByRole('heading', { name: 'Providers List' }) })
      .first();
    const active = list.getByRole('button', { name: 'Active (1)', exact: true });
    await active.waitFor(patience);
    await expect.poll(() => active.getAttribute('aria-pressed')).toBe('true');
    const text = await list.getByRole('listitem').innerText();
    for (const part of ['Middle Clinic', '0 leads', '1 Middle Street', '(303) 555-0142', 'Website'])
      expect(text).toContain(part);
    expect(await list.getByRole('link', { name: '(303) 555-0142' }).getAttribute('href')).toMatch(/^tel:/);
    expect(await list.getByRole('link', { name: /website/ }).getAttribute('href')).toBe(
      'https://middle.example.com/',
    );
    expect(await list.getByRole('link', { name: /^Edit/ }).getAttribute('href')).toBe(
      'https://cms.example/wp-admin/post.php?post=71&action=edit',
    );
    expect(await list.locator('[data-status=active]').count()).toBe(1);
    await list.getByRole('button', { name: 'Inactive (1)', exact: true }).click();
    await list.getByText('Closed Clinic').waitFor(patience);
    expect(await list.getByRole('link', { name: /^Edit/ }).count()).toBe(0);
    expect(await list.locator('[data-status=inactive]').count()).toBe(1);
    await expect.poll(() => new URL(page.url()).searchParams.get('group')).toBe('inactive');
    const search = page.getByRole('searchbox', { name: 'Search providers' });
    await search.fill('clinic');
    await active.press('Enter');
    await list.getByText('Middle Clinic').waitFor(patience);
    // Neither the focus nor the typed text is lost.
    await expect.poll(() => active.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await search.inputValue()).toBe('clinic');
    await search.fill('nobody');
    await list.getByText('No providers match your search.').waitFor(patience);
  });

  test('links to the configured WordPress site to edit a provider', async () => {
    meets('P2.admin.44');
    await using app = await browserApp({ env: { WORDPRESS_URL: 'https://wp.example/blog/' } });
    await twoProviders(app);
    await using visitor = await visitAdmin(app, { path });
    const edit = visitor.page.getByRole('link', {
      name: 'Edit Middle Clinic in WordPress (opens in a new tab)',
    });
    await edit.waitFor(patience);
    expect(await edit.getAttribute('href')).toBe(
      'https://wp.example/blog/wp-admin/post.php?post=71&action=edit',
    );
  });

  test('renders the first rows of twenty thousand, more when asked, and what is found', async () => {
    await using app = await browserApp();
    await app.sql`
      insert into providers (name, zip_code, email, latitude, longitude)
      select 'Clinic ' || lpad(n::text, 5, '0'), '80202', 'c' || n || '@example.com', 39.7, -104.9
      from generate_series(1, 20000) n`;
    await using visitor = await visitAdmin(app, { path });
    const { page } = visitor;
    const rows = page.locator('[data-provider]');
    await rows.first().waitFor(patience);
    expect(await rows.count()).toBe(25);
    await page.getByText('Clinic 00001').waitFor(patience);
    await page.getByRole('button', { name: 'Show more (19,975 left)' }).press('Enter');
    await page.getByText('Clinic 00050').waitFor(patience);
    expect(await rows.count()).toBe(50);
    await page.getByLabel('Search providers').fill('Clinic 20000');
    await page.getByText('Clinic 20000').waitFor(patience);
  });

  test('changes settings with messages for errors and Undo, and never shows the key', async () => {
    await using app = await browserApp();
    await twoProviders(app);
    await using visitor = await visitAdmin(app, { path });
    const { page } = visitor;
    await page.getByRole('button', { name: 'More about Middle Clinic' }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    const form = page.locator('#provider-settings');
    await form.getByLabel('Matching radius in miles').fill('0');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Enter a whole number of miles from 1 to 12,500, or leave blank.').waitFor(patience);
    await visitor.expectAccessible();
    await form.getByLabel('Matching radius in miles').fill('60');
    const key = form.getByLabel('CRM key', { exact: true });
    await key.fill('two words');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/without spaces\.$/).waitFor(patience);
    await expect.poll(() => key.evaluate((field) => field === document.activeElement)).toBe(true);
    await form.getByLabel('Pause new leads').check();
    await key.fill('very-secret-key');
    // A colleague changes a value that this form does not change.
    await app.sql`update providers set theme_hue = 200 where name = 'Middle Clinic'`;
    await form.getByRole('button', { name: 'Save' }).click();
    const saved = page.getByRole('status').filter({ hasText: 'Provider saved' });
    await saved.waitFor(patience);
    // Nobody can read the key of before.
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await page.getByText('Paused').waitFor(patience);
    await form.getByText('A key is saved.').waitFor(patience);
    expect(await form.getByLabel('Matching radius in miles').inputValue()).toBe('60');
    const hue = form.getByRole('slider', { name: 'Theme hue' });
    expect(await hue.inputValue()).toBe('200');
    const color = () =>
      form.locator('[data-preview] strong').evaluate((name) => getComputedStyle(name).color);
    const before = await color();
    expect((await readLook(page)).decorated).toEqual([]);
    await hue.press('ArrowRight');
    await expect.poll(() => hue.getAttribute('aria-valuetext')).toBe('201°');
    await expect.poll(color).not.toBe(before);
    await visitor.expectAccessible();
    expect(await key.inputValue()).toBe('');
    expect(await page.content()).not.toContain('very-secret-key');
    await form.getByLabel('Use the brand’s colors').check();
    await expect.poll(() => hue.count()).toBe(0);
    await form.getByRole('button', { name: 'Save' }).click();
    const readHue = async () => app.sql`select theme_hue from providers where name = 'Middle Clinic'`;
    await expect.poll(readHue, patience).toEqual([{ theme_hue: null }]);
    await page.getByRole('button', { name: 'Undo' }).click(patience);
    await expect.poll(readHue, patience).toEqual([{ theme_hue: 200 }]);
    await expect.poll(() => hue.inputValue(), patience).toBe('200');
  });

  test('shows an alert if providers fail to load', async () => {
    meets('P2.admin.37 P8.error.23');
    await using app = await browserApp();
    await using visitor = await visitAdmin(app, { expectedConsole: /Failed to load resource/ });
    const { page } = visitor;
    await page.route('**/trpc/*admin.providers.list*', (route) => route.abort());
    await page.getByRole('tab', { name: /^Providers/ }).click();
    await expect
      .poll(() => page.getByRole('alert').innerText(), patience)
      .toMatch(/^Error\n+Failed to load providers/);
  });
});

test('the map shows both groups, either can be hidden, and a pin names its provider', async () => {
  meets(`
    P2.admin.40 P2.admin.55 P2.admin.56 P2.admin.57 P2.admin.60 P2.admin.61 P2.admin.64
    P2.admin.66 P2.admin.67 P9.const.15 P9.const.20
  `);
  await using app = await browserApp();
  await twoProviders(app);
  await using visitor = await visitAdmin(app, { path });
  const { page } = visitor;
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(patience);
  const map = card(page, 'Map View');
  for (const text of ['Active (1)', 'Inactive (1)', 'Total: 2 providers', '1 without coordinates'])
    await expect.poll(() => map.getByText(text, { exact: true }).isVisible(), patience).toBe(true);
  for (const name of ['Active Providers', 'Inactive Providers'])
    expect(await map.getByRole('checkbox', { name, exact: true }).isChecked()).toBe(true);
  const box = await page.locator('canvas').boundingBox();
  if (box === null) throw new Error('the map has no canvas');
  expect(Math.round((await page.locator('[data-map]').boundingBox())?.height ?? 0)).toBe(400);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2 - 16);
  const popup = page.locator('.maplibregl-popup');
  await popup.waitFor(patience);
  for (const text of ['Active', 'Middle Clinic', '1 Middle Street', 'middle@example.com'])
    expect(await popup.getByText(text, { exact: true }).isVisible()).toBe(true);
  await visitor.expectAccessible();
  await map.getByRole('checkbox', { name: 'Active Providers', exact: true }).uncheck();
  await popup.waitFor({ state: 'detached', ...patience });
});
