import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { adminCopy, helpCopy, paletteCopy } from '#shared/admin/copy.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { getName, isFocused, row, rows, sendLead } from '#test/support/leadList.ts';
import type { TestApp } from '#test/support/testApp.ts';

/** A lead whose clinic's email failed, and two new applications. */
async function fill(app: TestApp): Promise<number> {
  await insertProvider(app.db, { name: 'Alpine Clinic', zipCode: '80202' });
  const id = await sendLead(app, { zip_code: '80202', last_name: 'Zander' });
  for (let sent = 0; sent < 2; sent += 1) await app.post('/api/provider-applications', applicationInput());
  await app.sql`update deliveries set state = 'failed', reason = 'Refused.', next_attempt_at = null,
    finished_at = now() where channel = 'provider-email'`;
  return id;
}

const tab = (page: Page, name: RegExp | string) => page.getByRole('tab', { name });
const focusedText = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  );

describe('from 1024 px', () => {
  test('the tabs are at the side with what waits in each, beside a head of one line', async () => {
    await using app = await browserApp();
    await fill(app);
    await using visitor = await visitAdmin(app, { role: 'owner' });
    const { page } = visitor;
    for (const name of [
      'Leads (1)',
      'Applications 2',
      'Providers (1)',
      'Insights',
      'Deliveries 1 failed',
      'Audit log',
    ])
      await page.getByRole('tab', { name, exact: true }).waitFor(patience);
    const list = page.getByRole('tablist', { name: 'Dashboard sections' });
    expect(await list.getAttribute('aria-orientation')).toBe('vertical');
    const panel = await page.getByRole('tabpanel').boundingBox();
    for (const shown of await page.getByRole('tab').all()) {
      const box = await shown.boundingBox();
      expect(box === null || panel === null || box.x + box.width > panel.x).toBe(false);
    }
    const head = page.locator('header').filter({ has: page.getByRole('heading', { level: 1 }) });
    expect((await head.boundingBox())?.height).toBeLessThanOrEqual(56);
    for (const name of ['Sync Providers', 'Export Leads CSV', 'Export Providers CSV', helpCopy.open])
      expect(await head.getByRole('button', { name, exact: true }).isVisible()).toBe(true);
    await visitor.expectAccessible();
    // Arrow keys go through all groups.
    await tab(page, /^Leads/).focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await page.getByRole('tab', { name: /^Deliveries/, selected: true }).waitFor(patience);
    await expect.poll(() => tab(page, /^Deliveries/).evaluate(isFocused), patience).toBe(true);
  });

  test('a change updates what waits', async () => {
    await using app = await browserApp();
    await fill(app);
    await using visitor = await visitAdmin(app, { path: '/admin?tab=applications' });
    const { page } = visitor;
    await tab(page, 'Applications 2').waitFor(patience);
    await page.locator('tbody select').first().selectOption('Contacted');
    await expect.poll(() => tab(page, /^Applications/).innerText(), patience).toBe('Applications 1');
  });

  test('the account menu moves by arrow keys, closes by Escape, and returns the focus', async () => {
    await using app = await browserApp();
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const account = page.getByRole('button', { name: /^Signed in as / });
    await account.focus();
    await page.keyboard.press('Enter');
    const choice = (name: string) => page.getByRole('menuitem', { name });
    await expect.poll(() => choice(helpCopy.open).evaluate(isFocused), patience).toBe(true);
    await visitor.expectAccessible();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => choice(helpCopy.open).evaluate(isFocused), patience).toBe(false);
    await page.keyboard.press('End');
    await expect.poll(() => choice('Sign out').evaluate(isFocused), patience).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => account.evaluate(isFocused), patience).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => choice(helpCopy.open).evaluate(isFocused), patience).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: helpCopy.title }).waitFor(patience);
    await page.keyboard.press('Escape');
    await expect.poll(() => account.evaluate(isFocused), patience).toBe(true);
  });
});

test('a menu’s code loads in advance, again after a failure, and keeps the focus', async () => {
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, { expectedConsole: /Failed to load resource/ });
  const { page } = visitor;
  let isDown = true;
  let asked = 0;
  await page.route('**/assets/MenuPanel-*.js', (route) => {
    asked += 1;
    return isDown ? route.abort() : route.continue();
  });
  await page.reload();
  const account = page.getByRole('button', { name: /^Signed in as / });
  await account.waitFor(patience);
  // In advance, while the browser is idle.
  await expect.poll(() => asked, patience).toBeGreaterThan(0);
  expect(await account.getAttribute('aria-haspopup')).toBe('menu');
  isDown = false;
  await account.press('Enter');
  const help = page.getByRole('menuitem', { name: helpCopy.open });
  await expect.poll(() => help.evaluate(isFocused), patience).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => account.evaluate(isFocused), patience).toBe(true);
});

describe('on a phone', () => {
  test('a bar at the bottom has four tabs, and More opens the others', async () => {
    await using app = await browserApp();
    await fill(app);
    await using visitor = await visitAdmin(app, { role: 'owner', width: 360, touch: true });
    const { page } = visitor;
    await rows(page).first().waitFor(patience);
    const bar = page.locator('[data-tab-bar]');
    const box = await bar.boundingBox();
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(740);
    expect(await page.getByRole('tab').count()).toBe(4);
    expect((await page.getByRole('tabpanel').boundingBox())?.y).toBeLessThan(120);
    await visitor.expectAccessible();
    const more = bar.getByRole('button', { name: 'More' });
    await more.click();
    await expect.poll(() => tab(page, /^Deliveries/).evaluate(isFocused), patience).toBe(true);
    await visitor.expectAccessible();
    await page.keyboard.press('Escape');
    await expect.poll(() => more.evaluate(isFocused), patience).toBe(true);
    await more.click();
    await tab(page, 'Audit log').click();
    await page.locator('#panel-audit').waitFor(patience);
    await expect.poll(() => more.evaluate(isFocused), patience).toBe(true);
    expect(await page.getByRole('tab').count()).toBe(4);
    await visitor.expectAccessible();
    await tab(page, /^Applications/).click();
    await page.getByRole('tab', { name: /^Applications/, selected: true }).waitFor(patience);
  });

  test('the buttons of the head are folded, in the accessibility tree and open by focus', async () => {
    await using app = await browserApp();
    await fill(app);
    await using visitor = await visitAdmin(app, { width: 360, touch: true });
    const { page } = visitor;
    await rows(page).first().waitFor(patience);
    const sync = page.getByRole('button', { name: 'Sync Providers' });
    const names = ['Sync Providers', 'Export Leads CSV', 'Export Providers CSV'];
    for (const name of names) expect(await page.getByRole('button', { name, exact: true }).count()).toBe(1);
    const isOnTop = () =>
      sync.evaluate((button) => {
        const { left, top } = button.getBoundingClientRect();
        return button.contains(document.elementFromPoint(left + 8, top + 8));
      });
    expect(await isOnTop()).toBe(false);
    await page.getByRole('button', { name: 'Actions' }).tap();
    await expect.poll(isOnTop, patience).toBe(true);
    await visitor.expectAccessible();
    await page.keyboard.press('Escape');
    await expect.poll(isOnTop, patience).toBe(false);
    await page.keyboard.press('Tab');
    await expect.poll(() => sync.evaluate(isFocused), patience).toBe(true);
    expect(await isOnTop()).toBe(true);
  });
});

describe('the command palette', () => {
  test('opens tabs, views, leads, providers and actions by the keyboard', async () => {
    await using app = await browserApp();
    const id = await fill(app);
    await app.sql`update leads set clinic_not_reached = true where id = ${id}`;
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await rows(page).first().waitFor(patience);
    const palette = page.getByRole('dialog', { name: paletteCopy.open });
    const panel = page.getByRole('tabpanel');
    const find = async (text: string, option: RegExp): Promise<void> => {
      await page.keyboard.press('Control+k');
      await expect.poll(() => focusedText(page), patience).toBe(paletteCopy.label);
      await page.keyboard.type(text);
      await palette.getByRole('option', { name: option, selected: true }).waitFor(patience);
      await page.keyboard.press('Enter');
      await palette.waitFor({ state: 'hidden', ...patience });
    };
    await find('deli', /^Deliveries/);
    await page.getByRole('tab', { name: /^Deliveries/, selected: true }).waitFor(patience);
    await expect.poll(() => panel.evaluate(isFocused), patience).toBe(true);
    await find('zander', /Zander/);
    const drawer = page.getByRole('dialog', { name: /Zander/ });
    await drawer.waitFor(patience);
    // From a drawer, too. What it opened last has returned the focus.
    await find('alpine', /^Alpine Clinic/);
    await page.getByRole('tab', { name: /^Providers/, selected: true }).waitFor(patience);
    const title = page.getByRole('heading', { name: 'Alpine Clinic', level: 2 });
    await expect.poll(() => title.evaluate(isFocused), patience).toBe(true);
    await drawer.waitFor({ state: 'hidden', ...patience });
    // From another tab: the view, its count, and no longer the provider's page.
    await find('not reached', /^Clinic not reached/);
    await tab(page, /^Leads/)
      .and(page.locator('[aria-selected=true]'))
      .waitFor(patience);
    await expect.poll(() => panel.evaluate(isFocused), patience).toBe(true);
    await page
      .getByRole('link', { name: 'Clinic not reached 1', exact: true })
      .and(page.locator('[aria-current]'))
      .waitFor(patience);
    await getName(page, id).waitFor(patience);
    await title.waitFor({ state: 'hidden', ...patience });
    await find('help', /^Help/);
    await page.getByRole('dialog', { name: helpCopy.title }).waitFor(patience);
    await page.keyboard.press('Escape');
    await find('sign out', /^Sign out/);
    await page.getByLabel('Password', { exact: true }).waitFor(patience);
  });

  test('skips the tabs, selects by key, and undoes no typed text without a message', async () => {
    await using app = await browserApp();
    const id = await fill(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await getName(page, id).waitFor(patience);
    await page.keyboard.press('Tab');
    expect(await focusedText(page)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => location.hash), patience).toBe('#panel-leads');
    await page.keyboard.press('Tab');
    expect(await page.getByRole('tabpanel').evaluate((panel) => panel.contains(document.activeElement))).toBe(
      true,
    );
    const search = page.getByRole('searchbox');
    await page.keyboard.press('/');
    await page.keyboard.type('zander');
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    // What was searched for is replaced, and the row is selected by its key.
    await getName(page, id).focus(patience);
    await page.keyboard.press('x');
    await row(page, id).getByRole('checkbox', { checked: true }).waitFor(patience);
    await page.keyboard.press('x');
    await row(page, id).getByRole('checkbox', { checked: false }).waitFor(patience);
    await page.keyboard.press('X');
    await page.getByRole('checkbox', { name: leadCopy.selectAll, checked: true }).waitFor(patience);
    await page.keyboard.press('Control+z');
    await page.getByText(adminCopy.nothingToUndo.title).waitFor(patience);
    expect(await search.inputValue()).toBe('zander');
    expect(await getName(page, id).evaluate(isFocused)).toBe(true);
    await page.keyboard.press('/');
    await page.keyboard.type('nobody');
    expect(await search.inputValue()).toBe('nobody');
    // In the field, the browser's own Undo.
    await page.keyboard.press('Control+z');
    await expect.poll(() => search.inputValue(), patience).not.toBe('nobody');
  });

  test('searches leads from two characters on, and returns the focus', async () => {
    await using app = await browserApp();
    const id = await fill(app);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await getName(page, id).focus(patience);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/admin\.(leads|providers)\.list/.test(request.url())) asked.push(request.url());
    });
    await page.keyboard.press('Control+k');
    await expect.poll(() => focusedText(page), patience).toBe(paletteCopy.label);
    const palette = page.getByRole('dialog', { name: paletteCopy.open });
    const readTop = async () => (await palette.boundingBox())?.y;
    const top = await readTop();
    await page.keyboard.type('z');
    await palette.getByText(paletteCopy.none).waitFor(patience);
    await visitor.settled();
    expect(asked).toEqual([]);
    expect(await readTop()).toBe(top);
    await page.keyboard.type('an');
    await palette.getByRole('option', { name: /Zander/, selected: true }).waitFor(patience);
    expect(await readTop()).toBe(top);
    await visitor.expectAccessible();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'hidden', ...patience });
    await expect.poll(() => getName(page, id).evaluate(isFocused), patience).toBe(true);
    // A narrow window has other elements for the leads, so no focus to return to.
    await page.keyboard.press('Control+k');
    for (const width of [1280, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await palette.waitFor(patience);
      await visitor.expectAccessible();
    }
  });
});

test.each([1280, 768, 360])('at %i px, a message covers nothing of an open drawer', async (width) => {
  await using app = await browserApp();
  const id = await fill(app);
  await using visitor = await visitAdmin(app, { path: `/admin?lead=${id}`, width });
  const { page } = visitor;
  const drawer = page.getByRole('dialog', { name: /Zander/ });
  await drawer.getByRole('button', { name: 'Resend Email' }).click(patience);
  const message = page.locator('[data-toast]');
  await message.waitFor(patience);
  const body = drawer.locator('section').first();
  const [around, covered] = [await body.boundingBox(), await message.boundingBox()];
  expect(around !== null && covered !== null).toBe(true);
  if (around === null || covered === null) return;
  const isBeside = covered.x + covered.width <= around.x;
  const isBelow = covered.y >= around.y + around.height;
  expect(isBeside || isBelow).toBe(true);
  expect(covered.x).toBeGreaterThanOrEqual(0);
});

test('without WordPress, Sync Providers says why, and the empty list does not name it', async () => {
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, { path: '/admin?tab=providers' });
  const { page } = visitor;
  await page.getByText('No active providers yet.').waitFor(patience);
  expect(await page.getByRole('tabpanel').getByText('Sync providers to import them').count()).toBe(0);
  const sync = page.getByRole('button', { name: 'Sync Providers' });
  await expect.poll(() => sync.getAttribute('aria-disabled'), patience).toBe('true');
  await sync.press('Enter');
  await page.getByRole('alert').getByText('Provider sync is not configured.').waitFor(patience);
  await expect.poll(() => sync.evaluate(isFocused)).toBe(true);
});

test('the focused row stays clear of the bar of the tabs', async () => {
  await using app = await browserApp();
  for (let sent = 0; sent < 8; sent += 1) await sendLead(app, { zip_code: '99501' });
  await using visitor = await visitAdmin(app, { width: 768 });
  const { page } = visitor;
  await expect.poll(() => rows(page).count(), patience).toBe(8);
  const [last] = await app.sql<{ id: string }[]>`select min(id) as id from leads`;
  await getName(page, Number(last?.id)).focus();
  const [bar, line] = [
    await page.locator('[data-tab-bar]').boundingBox(),
    await row(page, Number(last?.id)).boundingBox(),
  ];
  expect((line?.y ?? 0) + (line?.height ?? Infinity)).toBeLessThanOrEqual((bar?.y ?? 0) + 1);
});
