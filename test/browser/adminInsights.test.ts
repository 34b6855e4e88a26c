import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { formSteps, leadOutcomes } from '#server/db/schema/index.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertDeliveryAttempts, insertLeads } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import type { TestApp } from '#test/support/testApp.ts';

const days = 'since=2026-06-01&until=2026-06-03';
const path = `/admin?tab=insights&charts=true&${days}`;

const figures = {
  leads: 'Leads per day by site',
  forms: 'Form completion',
  pages: 'First pages and campaigns',
  matches: 'Match rate',
  firstDelivery: 'Time to first delivery',
  firstContact: 'Speed to first contact',
  deliveries: 'Delivery health',
  demand: 'Demand without a provider',
} as const;

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
const chart = (page: Page, title: string) => card(page, title).locator('svg.recharts-surface');
const preset = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const params = (page: Page) => new URL(page.url()).searchParams;
const dayFromToday = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);

/** Unfolds the numbers of a card. */
async function unfold(page: Page, title: string): Promise<void> {
  const summary = card(page, title).locator('summary', { hasText: 'Show data' });
  await summary.waitFor(patience);
  if (!(await summary.evaluate(({ parentElement }) => parentElement?.hasAttribute('open') === true)))
    await summary.click();
}

async function toRows(page: Page, title: string): Promise<string[][]> {
  await unfold(page, title);
  const rows = await card(page, title).locator('tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}

async function expectNoSideways(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** Three days: four leads on the first, none on the second, one on the third. Two have a provider; three attempts. */
async function fill({ db }: TestApp): Promise<void> {
  const provider = await insertProvider(db, { name: 'Alpine Clinic', zipCode: '80202' });
  const at = (text: string): Date => new Date(`2026-06-${text}Z`);
  const [first, second] = await insertLeads(db, [
    { createdAt: at('01T08:00:00'), providerId: provider.id, crmSyncStatus: 'success' },
    {
      createdAt: at('01T09:00:00'),
      siteProviderId: provider.id,
      providerId: provider.id,
      crmSyncStatus: 'failed',
    },
    { createdAt: at('01T10:00:00'), zipCode: '59718' },
    { createdAt: at('01T23:59:59'), zipCode: '59718' },
    { createdAt: at('03T12:00:00'), zipCode: '00001' },
  ]);
  await db.insert(leadOutcomes).values({
    leadId: first?.id ?? 0,
    providerId: provider.id,
    outcome: 'booked',
    by: 'Clinic',
    at: at('01T08:42:00'),
  });
  await db.insert(formSteps).values([
    { day: '2026-06-01', form: 'quiz', step: 'started', count: 6 },
    { day: '2026-06-01', form: 'quiz', step: 'zip', count: 4 },
    { day: '2026-06-03', form: 'quiz', step: 'sent', count: 1 },
    { day: '2026-06-03', form: 'microsite', step: 'started', count: 2 },
    { day: '2026-06-03', form: 'microsite', step: 'sent', count: 1 },
  ]);
  await insertDeliveryAttempts(db, [
    { leadId: first?.id ?? 0, channel: 'lead-email', at: at('01T08:00:02') },
    { leadId: second?.id ?? 0, outcome: 'failed', at: at('01T09:00:01') },
    { leadId: second?.id ?? 0, at: at('01T09:02:00') },
  ]);
}

describe('the figures of a range of days', () => {
  test('have a total, a chart and a table each, and are exported as files', async () => {
    meets('D.admin.61 D.admin.62 D.admin.63 D.admin.64');
    await using app = await browserApp();
    await fill(app);
    await using visitor = await visitAdmin(app, { path, role: 'viewer' });
    const { page } = visitor;
    await chart(page, figures.leads).waitFor(patience);
    for (const [title, text] of [
      [figures.leads, '5 leads over 3 days. Quarantined and deleted leads aren’t counted.'],
      [figures.forms, '25.0% completed 8 forms started, 2 sent'],
      [figures.matches, '40.0% 2 of 5 leads have a provider'],
      [figures.firstDelivery, 'Median 1 min 1 s of 2 leads matched on arrival'],
      [figures.firstContact, '1 lead reached Slowest day: Jun 1, 2026 (95th percentile 42 min)'],
      [figures.deliveries, '66.7% of attempts delivered 3 attempts, 1 failed'],
      [figures.demand, '3 leads without a provider, from 2 ZIP areas'],
    ] as const)
      await expect
        .poll(
          async () => (await card(page, title).locator('p').first().innerText()).replaceAll(/\s+/g, ' '),
          patience,
        )
        .toBe(text);
    expect(await toRows(page, figures.leads)).toEqual([
      ['Day', 'Total', 'Main site', 'Alpine Clinic'],
      ['Jun 3, 2026', '1', '1', '0'],
      ['Jun 2, 2026', '0', '0', '0'],
      ['Jun 1, 2026', '4', '3', '1'],
    ]);
    expect(await toRows(page, figures.forms)).toEqual([
      ['Form', 'Started', 'ZIP entered', 'Sent', 'Completed'],
      ['Landing page', '0', '0', '0', '—'],
      ['Provider’s site', '2', '—', '1', '50.0%'],
      ['Quiz (/start)', '6', '4', '1', '16.7%'],
      ['Find a provider (/find)', '0', '0', '0', '—'],
    ]);
    expect((await toRows(page, figures.matches)).slice(1)).toEqual([
      ['Jun 3, 2026', '1', '0', '0%'],
      ['Jun 2, 2026', '0', '0', '—'],
      ['Jun 1, 2026', '4', '2', '50.0%'],
    ]);
    expect((await toRows(page, figures.firstDelivery)).at(-1)).toEqual([
      'Jun 1, 2026',
      '2',
      '1 min 1 s',
      '—',
    ]);
    expect((await toRows(page, figures.firstContact)).at(-1)).toEqual([
      'Jun 1, 2026',
      '1',
      '42 min',
      '42 min',
    ]);
    expect((await toRows(page, figures.deliveries)).at(-1)).toEqual(['Jun 1, 2026', '2', '1']);
    expect(await card(page, figures.deliveries).locator('dl').allInnerTexts()).toEqual([
      expect.stringMatching(
        /^Email to the lead\s+100%\s+1 of 1 delivered\s+1 attempt, 0 failed\s+CRM\s+50\.0%\s+1 of 2 delivered\s+2 attempts, 1 failed$/,
      ),
      expect.stringMatching(/^Pending\s+3\s+success\s+1\s+failed\s+1$/),
    ]);
    expect(await toRows(page, figures.demand)).toEqual([
      ['ZIP area', 'Leads', 'Nearest provider', 'Map'],
      ['597', '2', expect.stringMatching(/^Alpine Clinic, [56]\d\d miles$/), 'Show on map'],
      ['000', '1', 'None', 'Not on the map'],
    ]);
    // One of the three days has no lead: two bars for the main site, one for the provider.
    await expect
      .poll(() => chart(page, figures.leads).locator('.recharts-bar-rectangle path').count(), patience)
      .toBe(3);
    expect(await chart(page, figures.leads).getAttribute('aria-label')).toContain(
      'Jun 1, 2026 – Jun 3, 2026: 5 in total.',
    );
    const saved = page.waitForEvent('download');
    await card(page, figures.leads).getByRole('button', { name: 'Export CSV' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^insights-leads-.*\.csv$/);
    expect(await readFile(await download.path(), 'utf8')).toContain('2026-06-01,3,1,4');
    await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(patience);
    await visitor.expectAccessible();
    await expectNoSideways(page);
    for (const width of [768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await expect
        .poll(async () => (await chart(page, figures.leads).boundingBox())?.width ?? 0, patience)
        .toBeLessThan(width);
      await expectNoSideways(page);
      await visitor.expectAccessible();
    }
  });

  test('work by keyboard: arrows step through a chart, a row shows its area on the map', async () => {
    meets('D.admin.64');
    await using app = await browserApp();
    await fill(app);
    await using visitor = await visitAdmin(app, { path: `/admin?tab=providers&charts=true&${days}` });
    const { page } = visitor;
    await page.getByRole('tab', { name: /^Providers/ }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => params(page).get('tab')).toBe('insights');
    await chart(page, figures.leads).waitFor(patience);
    await chart(page, figures.leads).focus();
    const tip = card(page, figures.leads).locator('[aria-live]');
    await expect
      .poll(() => tip.innerText(), patience)
      .toMatch(/^Jun 1, 2026\s+Alpine Clinic\s+1\s+Main site\s+3$/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => tip.innerText(), patience)
      .toMatch(/^Jun 3, 2026\s+Alpine Clinic\s+0\s+Main site\s+1$/);
    await page.locator('[data-map=drawn] [aria-busy=false]').waitFor(patience);
    const show = page.getByRole('button', { name: 'Show on map: ZIP area 597' });
    const summary = card(page, figures.demand).locator('summary', { hasText: 'Show data' });
    await summary.focus();
    await page.keyboard.press('Enter');
    await show.focus();
    await page.keyboard.press('Enter');
    const popup = page.locator('.maplibregl-popup');
    await expect
      .poll(() => popup.innerText(), patience)
      .toMatch(/ZIP area 597\s+2 leads\s+Nearest provider: Alpine Clinic, [56]\d\d miles/);
    await expect.poll(() => show.getAttribute('aria-pressed')).toBe('true');
    await visitor.expectAccessible();
    // The circle is at the point of the popup, 56 px above the map's lower edge.
    await popup.getByRole('button', { name: 'Close' }).click();
    await popup.waitFor({ state: 'detached', ...patience });
    const canvas = await page.locator('canvas').boundingBox();
    if (canvas === null) throw new Error('the map has no canvas');
    const middle = { x: canvas.x + canvas.width / 2, y: canvas.y + canvas.height - 56 };
    await expect
      .poll(async () => {
        await page.mouse.click(middle.x, middle.y);
        return popup.count();
      }, patience)
      .toBe(1);
  });
});

test('days are chosen by preset or date and kept in the URL; Back restores the last', async () => {
  await using app = await browserApp();
  await insertLeads(app.db, [
    { createdAt: new Date() },
    { createdAt: new Date(Date.now() - 20 * 86_400_000) },
    { createdAt: new Date(Date.now() - 200 * 86_400_000) },
  ]);
  await using visitor = await visitAdmin(app, {
    path: '/admin?tab=insights&charts=true&from=2020-02-02&since=never',
  });
  const { page } = visitor;
  const expectLeads = async (text: string): Promise<void> => {
    await expect.poll(() => card(page, figures.leads).locator('p strong').innerText(), patience).toBe(text);
  };
  await expectLeads('2 leads');
  await expect.poll(() => preset(page, '30 days').getAttribute('aria-pressed')).toBe('true');
  await preset(page, 'Other days').click();
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe(dayFromToday(-29));
  const ticks = () =>
    chart(page, figures.leads).locator('.recharts-xAxis .recharts-cartesian-axis-tick').count();
  const before = await chart(page, figures.leads).getAttribute('aria-label');
  await preset(page, '12 months').click();
  await expectLeads('3 leads');
  await expect.poll(() => chart(page, figures.leads).getAttribute('aria-label'), patience).not.toBe(before);
  await expect.poll(ticks, patience).toBeGreaterThan(1);
  await expect
    .poll(() => [params(page).get('until'), params(page).get('from')])
    .toEqual([dayFromToday(0), '2020-02-02']);
  await page.goBack();
  await expectLeads('2 leads');
  await preset(page, '7 days').click();
  await expectLeads('1 lead');
  await expect.poll(() => params(page).get('since')).toBe(dayFromToday(-6));
  // A single day has a chart, too.
  await page.getByLabel('From', { exact: true }).fill(dayFromToday(0));
  await expect.poll(ticks, patience).toBe(1);
  await expect
    .poll(() => chart(page, figures.leads).locator('.recharts-bar-rectangle path').count(), patience)
    .toBe(1);
  await expect
    .poll(() => chart(page, figures.matches).locator('circle').count(), patience)
    .toBeGreaterThan(0);
  await page.getByLabel('To', { exact: true }).fill(dayFromToday(-1));
  await page.getByText(/^The end date must not be before the start date\. Showing /).waitFor(patience);
  await expectLeads('1 lead');
  await expect.poll(() => page.getByLabel('To', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  await visitor.expectAccessible();
  await page.reload();
  await page.getByText(/^The end date must not be before the start date/).waitFor(patience);
  await page.getByRole('tab', { name: /^Leads/ }).click();
  await expect.poll(() => params(page).get('until')).toBe(dayFromToday(-1));
});

describe('without figures or code', () => {
  test('if the figures fail to load, each says so and offers a retry', async () => {
    await using app = await browserApp();
    await fill(app);
    await using visitor = await visitAdmin(app, {
      path: `/admin?tab=applications&charts=true&${days}`,
      expectedConsole: /Failed to load resource/,
    });
    const { page } = visitor;
    await page.route('**/trpc/*admin.insights.*', (route) => route.abort());
    await page.getByRole('tab', { name: 'Insights' }).click();
    for (const [title, text] of [
      [figures.leads, 'Failed to load the leads of this period'],
      [figures.forms, 'Failed to load the form counts'],
      [figures.pages, 'Failed to load the first pages'],
      [figures.firstDelivery, 'Failed to load the first deliveries'],
      [figures.firstContact, 'Failed to load the first contacts'],
      [figures.deliveries, 'Failed to load the deliveries'],
      [figures.demand, 'Failed to load demand'],
    ] as const)
      await card(page, title).getByRole('alert').getByText(text).waitFor(patience);
    await visitor.expectAccessible();
    await page.unroute('**/trpc/*admin.insights.*');
    const again = page.getByRole('button', { name: 'Try again' });
    await expect
      .poll(async () => {
        // Two cards share one request: a press may take away another button.
        if ((await again.count()) > 0) await again.first().click();
        return again.count();
      }, patience)
      .toBe(0);
    await chart(page, figures.leads).waitFor(patience);
    await chart(page, figures.deliveries).waitFor(patience);
    await page.locator('[data-map=drawn]').waitFor(patience);
    await expect.poll(() => page.getByRole('alert').count(), patience).toBe(0);
  });

  test('if the charts’ code fails to load, an alert offers a retry; other tabs need none', async () => {
    await using app = await browserApp();
    await fill(app);
    await using visitor = await visitAdmin(app, {
      role: 'owner',
      path: `/admin?charts=true&${days}`,
      expectedConsole: /Failed to load resource/,
    });
    const { page } = visitor;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.route('**/assets/InsightsTab-*.js', (route) => route.abort());
    for (const tab of [/^Providers/, /^Applications/, /^Team/, /^Tokens/, /^Audit/, /^Leads/])
      await page.getByRole('tab', { name: tab }).click();
    await page.locator('tr[data-lead]').first().waitFor(patience);
    expect(asked.filter((file) => file.includes('InsightsTab'))).toEqual([]);
    await page.getByRole('tab', { name: 'Insights' }).click();
    await page.getByRole('alert').getByText('This part couldn’t be loaded.').waitFor(patience);
    await page.unroute('**/assets/InsightsTab-*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await chart(page, figures.leads).waitFor(patience);
  });
});
