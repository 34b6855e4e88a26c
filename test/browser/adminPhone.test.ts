import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { formSteps } from '#server/db/schema/index.ts';
import { leadCopy, leadFilterCopy } from '#shared/admin/leadCopy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { row, rows, sendLead } from '#test/support/leadList.ts';
import { insertLeads } from '#test/support/leadRows.ts';

/** What can be pressed on the page, or in the open dialog, and is narrower or lower than 44 px. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scope = document.querySelector('[data-modal]') ?? document.body;
    return [...scope.querySelectorAll('a[href], button, input, select, summary')].flatMap((element) => {
      const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
      const isShown = element.checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1;
      const isSmall = Math.min(width, height) < 43.5;
      return isShown && isSmall ? [`${element.textContent} ${width} x ${height}`] : [];
    });
  });
}

test('on a phone, a lead is a low card; its actions are buttons and a menu', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { name: 'Gable End', zipCode: '80202' });
  const id = await sendLead(app, { zip_code: '80202', last_name: 'Zander', phone: '(303) 555-0142' });
  await using visitor = await visitAdmin(app, { width: 360, touch: true });
  const { page } = visitor;
  const card = row(page, id);
  await card.waitFor(patience);
  const box = await card.boundingBox();
  expect(box?.y).toBeLessThan(260);
  expect(box?.height).toBeLessThanOrEqual(100);
  expect(await card.innerText()).toContain(provider.name);
  expect(await card.getByRole('link', { name: /^Call / }).getAttribute('href')).toMatch(/^tel:.*3035550142$/);
  expect(await card.getByRole('link', { name: /^Email / }).getAttribute('href')).toMatch(/^mailto:/);
  // Nothing but the page scrolls.
  const scrollers = await page.evaluate(
    () =>
      [...document.querySelectorAll('main *')].filter((element) => {
        const { overflowY } = getComputedStyle(element);
        return ['auto', 'scroll'].includes(overflowY) && element.scrollHeight > element.clientHeight + 1;
      }).length,
  );
  expect(scrollers).toBe(0);
  // The specified buttons are there for screen readers, and for keys they are seen.
  for (const name of [leadCopy.resendEmail, leadCopy.retrySync, leadCopy.remove]) {
    const button = card.getByRole('button', { name, exact: true });
    await button.focus();
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
  await visitor.expectAccessible();
  await card.getByRole('button', { name: leadCopy.pick.change }).tap();
  await page.getByRole('option', { name: /^Gable End/ }).waitFor(patience);
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: /^More for / }).tap();
  await page.getByRole('menuitem', { name: leadCopy.remove }).waitFor(patience);
  await visitor.expectAccessible();
  await page.getByRole('menuitem', { name: leadCopy.remove }).tap();
  await card.waitFor({ ...patience, state: 'detached' });
});

test('on a phone, filters and order are on a sheet', async () => {
  await using app = await browserApp();
  await insertProvider(app.db, { zipCode: '80202' });
  await sendLead(app, { zip_code: '80202', last_name: 'Zander' });
  await sendLead(app, { zip_code: '99501', last_name: 'Adams' });
  await using visitor = await visitAdmin(app, { width: 360, touch: true });
  const { page } = visitor;
  await expect.poll(() => rows(page).count(), patience).toBe(2);
  const open = page.getByRole('button', { name: leadFilterCopy.label, exact: true });
  await open.tap();
  const sheet = page.getByRole('dialog', { name: leadFilterCopy.label });
  await sheet.getByLabel(leadFilterCopy.match).selectOption('matched', patience);
  await expect.poll(() => rows(page).count(), patience).toBe(1);
  await visitor.expectAccessible();
  expect(await smallTargets(page)).toEqual([]);
  await sheet.getByRole('button', { name: leadFilterCopy.done }).tap();
  await page.getByRole('button', { name: leadFilterCopy.removeFilter(leadFilterCopy.matched) }).tap();
  await expect.poll(() => rows(page).count(), patience).toBe(2);
  for (const [order, first] of [
    ['last_name', 'Adams'],
    ['-last_name', 'Zander'],
  ] as const) {
    await open.tap();
    await sheet.getByLabel(leadFilterCopy.sort).selectOption(order, patience);
    await page.keyboard.press('Escape');
    await expect.poll(() => rows(page).first().innerText(), patience).toContain(first);
  }
});

test('on a phone, the links and filters of providers are 44 px high', async () => {
  await using app = await browserApp();
  await insertProvider(app.db, { phone: '(303) 555-0100', website: 'https://clinic.example' });
  await using visitor = await visitAdmin(app, { path: '/admin?tab=providers', width: 360, touch: true });
  const links = visitor.page.locator('[data-provider] a, main fieldset button');
  await links.first().waitFor(patience);
  expect(await links.count()).toBeGreaterThan(1);
  for (const link of await links.all()) expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await visitor.expectAccessible();
});

test('on a phone, the figures of forms fit, and the keys reach each tab of the bar', async () => {
  await using app = await browserApp();
  await app.db.insert(formSteps).values([
    { day: '2026-06-01', form: 'quiz', step: 'started', count: 6 },
    { day: '2026-06-01', form: 'quiz', step: 'sent', count: 1 },
  ]);
  await insertLeads(app.db, [{}]);
  await using visitor = await visitAdmin(app, {
    path: '/admin?tab=insights&charts=true&since=2026-06-01&until=2026-06-03',
    role: 'owner',
    width: 360,
    touch: true,
  });
  const { page } = visitor;
  const card = page.getByRole('region', { name: 'Form completion', exact: true });
  await card.locator('summary', { hasText: 'Show data' }).tap(patience);
  const table = card.locator('[data-table-frame]');
  await table.getByText('16.7%').waitFor(patience);
  const { frame, cells } = await table.evaluate((element) => ({
    frame: element.clientWidth - element.scrollWidth,
    cells: [...element.querySelectorAll('thead th:not(:first-child), td')]
      .filter((cell) => cell.scrollWidth > cell.clientWidth)
      .map((cell) => cell.textContent),
  }));
  expect([frame, cells]).toEqual([0, []]);
  for (const [key, name] of [
    [null, 'Insights'],
    ['End', 'Audit log'],
    ['Home', /^Leads/],
  ] as const) {
    if (key !== null) await page.getByRole('tab', { selected: true }).press(key);
    const tab = page.getByRole('tab', { name, selected: true });
    await expect
      .poll(async () => {
        const box = await tab.boundingBox();
        return box !== null && box.x >= 0 && box.x + box.width <= 360;
      }, patience)
      .toBe(true);
  }
});

test('on a phone, an application has its practice and its status in view', async () => {
  await using app = await browserApp();
  await app.post('/api/provider-applications', applicationInput());
  await using visitor = await visitAdmin(app, { path: '/admin?tab=applications', width: 360, touch: true });
  const { page } = visitor;
  await page.locator('tbody select').waitFor(patience);
  expect(
    await page.locator('[data-table-frame]').evaluate((frame) => frame.scrollWidth - frame.clientWidth),
  ).toBe(0);
  await visitor.expectAccessible();
});

test('for fingers, what can be pressed in lists and drawer is 44 px high and wide', async () => {
  await using app = await browserApp();
  await insertProvider(app.db, { zipCode: '80202' });
  const id = await sendLead(app, { zip_code: '80202' });
  await app.post('/api/provider-applications', applicationInput());
  const tableRow = 'tbody tr:not([data-skeleton])';
  const screens: [path: string, ready: string][] = [
    ['/admin', '[data-lead]'],
    ['/admin?tab=applications', tableRow],
    ['/admin?tab=deliveries', tableRow],
    ['/admin?tab=team', tableRow],
    [`/admin?lead=${id}`, '[data-modal] a[href^="mailto:"]'],
    ['/admin?tab=audit', tableRow],
  ];
  for (const width of [360, 820]) {
    await using visitor = await visitAdmin(app, { role: 'owner', width, touch: true });
    const { page } = visitor;
    for (const [path, ready] of screens) {
      await page.goto(path);
      await page.locator(ready).first().waitFor(patience);
      await visitor.settled();
      expect([path, ...(await smallTargets(page))]).toEqual([path]);
    }
  }
});

test('for fingers, choices and search fields have text of 16 px', async () => {
  await using app = await browserApp();
  await sendLead(app);
  await using visitor = await visitAdmin(app, { width: 360, touch: true });
  await visitor.page.getByRole('button', { name: leadFilterCopy.label, exact: true }).tap(patience);
  const filters = visitor.page.locator(
    ':is(main, [data-modal]) :is(select, input:not([type=checkbox], [type=date]))',
  );
  await filters.nth(7).waitFor(patience);
  const sizes = await filters.evaluateAll((shown) =>
    shown.map((element) => getComputedStyle(element).fontSize),
  );
  expect(sizes.length).toBeGreaterThan(7);
  expect(new Set(sizes)).toEqual(new Set(['16px']));
});

test('from 700 px, a lead has all columns below the head; nothing scrolls sideways', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { name: 'Gable End Center for the Health of Men' });
  await insertLeads(
    app.db,
    Array.from({ length: 40 }, (_, at) => ({
      providerId: at % 2 === 0 ? provider.id : null,
      lastName: 'Elmsworth-Featherstonehaugh',
      crmSyncStatus: 'failed',
    })),
  );
  for (const touch of [false, true]) {
    await using visitor = await visitAdmin(app, { width: 700, touch });
    const { page } = visitor;
    await rows(page).first().waitFor(patience);
    for (const width of [700, 768, 1024, 1140, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(() => scrollTo(0, 1_000));
      const beyond = await page.evaluate(() => {
        const frame = document.querySelector('[data-table-frame]');
        const { left = 0, right = 0 } = frame?.getBoundingClientRect() ?? {};
        const parts = [...(frame?.querySelectorAll('th, td, th *, td *') ?? [])].filter((part) => {
          const box = part.getBoundingClientRect();
          return part.checkVisibility() && (box.left < left - 1 || box.right > right + 1);
        });
        return [document.documentElement.scrollWidth - innerWidth, parts.map((part) => part.outerHTML)];
      });
      expect([width, ...beyond]).toEqual([width, expect.toSatisfy((px: number) => px <= 0), []]);
      for (const name of Object.values(leadCopy.columns)) {
        const head = page.getByRole('columnheader', { name, exact: true });
        const isOnTop = await head.evaluate((cell) => {
          const { left, top, width: across, height } = cell.getBoundingClientRect();
          return top >= 0 && cell.contains(document.elementFromPoint(left + across / 2, top + height / 2));
        });
        expect([width, name, isOnTop]).toEqual([width, name, true]);
      }
      for (const name of [leadCopy.resendEmail, leadCopy.retrySync, leadCopy.remove])
        expect(await rows(page).getByRole('button', { name, exact: true }).count()).toBe(40);
    }
    await visitor.expectAccessible();
  }
});

test('on a phone, the bar of the selection takes three lines at most', async () => {
  await using app = await browserApp();
  await insertLeads(
    app.db,
    Array.from({ length: 46 }, () => ({})),
  );
  await using visitor = await visitAdmin(app, { width: 360, touch: true });
  const { page } = visitor;
  await rows(page).first().waitFor(patience);
  await page.getByRole('checkbox').first().check();
  const bar = page.getByRole('region', { name: 'Selected leads' });
  await bar.getByRole('button', { name: leadCopy.selectAll }).tap(patience);
  await bar.getByRole('button', { name: leadCopy.bulk.selectMatching(46) }).waitFor(patience);
  const tops = await bar.getByRole('button').evaluateAll((buttons) =>
    buttons.map((button) => {
      const { top, height } = button.getBoundingClientRect();
      return Math.round(top + height / 2);
    }),
  );
  expect(new Set(tops).size).toBeLessThanOrEqual(3);
});
