import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { formStarts } from '#server/db/schema/index.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLeads } from '#test/support/leadRows.ts';

const path = '/admin?tab=insights&since=2026-06-01&until=2026-06-03';

const figures = {
  leads: 'Leads per day by site',
  forms: 'Form completion',
  matches: 'Match rate',
  firstDelivery: 'Time to first delivery',
  firstContact: 'Speed to first contact',
  deliveries: 'Delivery health',
  demand: 'Demand without a provider',
} as const;

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
const tile = (page: Page, key: string) => page.locator(`[data-figure=${key}]`);

test('seven figures with their change fit a laptop’s screen and link to their leads', async () => {
  await using app = await browserApp();
  const alpine = await insertProvider(app.db, { name: 'Alpine Clinic' });
  // In Denver, the night of May 31 to June 1 is May 31.
  const at = (text: string) => new Date(`2026-${text}Z`);
  const matched = { providerId: alpine.id };
  await insertLeads(app.db, [
    { ...matched, createdAt: at('06-01T08:00:00'), outcome: 'booked' },
    { ...matched, createdAt: at('06-02T08:00:00'), outcome: 'reached' },
    { ...matched, createdAt: at('06-04T05:00:00'), deliveryFailed: true, clinicNotReached: true },
    { ...matched, createdAt: at('06-01T05:00:00'), outcome: 'booked' },
  ]);
  await app.db
    .insert(formStarts)
    .values({ day: '2026-06-02', form: 'landing', page: '/', campaign: '', count: 9 });
  await using visitor = await visitAdmin(app, { role: 'owner' });
  const { page, context } = visitor;
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Denver' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(path);
  await page.getByText('Days in America/Denver').waitFor(patience);
  for (const [key, text] of [
    ['leads', /^Leads\s+3\s+2 more \(\+200%\)$/],
    ['clinicReached', /^Clinic reached\s+3\s+.*1 not reached$/s],
    ['median', /^Median to first outcome\s+—\s+No comparison$/],
    ['reached', /^Reached\s+2\s+1 more \(\+100%\)\s+66.7% of leads$/],
    ['booked', /^Booked\s+1\s+No change\s+33.3% of leads$/],
    ['noOutcome', /^No outcome\s+1\s+1 more \(none before\)\s+33.3% of matched leads$/],
    ['failed', /^Failed deliveries\s+1\s+1 more \(none before\)\s+33.3% of leads$/],
  ] as const) {
    await expect.poll(() => tile(page, key).innerText(), patience).toMatch(text);
    const box = await tile(page, key).boundingBox();
    expect((box?.y ?? 800) + (box?.height ?? 0)).toBeLessThan(800);
  }
  // Nothing is drawn until it is asked for.
  expect(await page.locator('svg.recharts-surface').count()).toBe(0);
  await card(page, 'Providers compared').getByText('2 (fewer than 10 leads)').first().waitFor(patience);
  await page.getByText('Landing page (/)').first().waitFor(patience);
  const weekly = page.getByRole('checkbox', { name: /^Email me the week’s figures/ });
  await weekly.press('Space');
  await expect
    .poll(() => app.sql`select zone from weekly_emails`, patience)
    .toEqual([{ zone: 'America/Denver' }]);
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await visitor.expectAccessible();
  }
  await tile(page, 'reached').getByRole('link').press('Enter');
  await expect.poll(() => page.locator('tr[data-lead]').count(), patience).toBe(2);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
    ...{ outcome: 'contacted', from: '2026-06-01', to: '2026-06-03' },
  });
  // The list, not its tab, has the focus of the link that is gone.
  const panel = page.getByRole('tabpanel');
  expect(await panel.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('an installation without leads has one sentence', async () => {
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, { path: `${path}&charts=true` });
  const { page } = visitor;
  await page.getByText('No leads yet. Figures appear here with the first one.').waitFor(patience);
  expect(await page.getByRole('tabpanel').innerText()).toBe(
    'No leads yet. Figures appear here with the first one.',
  );
  await visitor.expectAccessible();
});

test('each figure of a period without leads says so and has no file', async () => {
  await using app = await browserApp();
  await insertLeads(app.db, [{ createdAt: new Date('2026-01-01T12:00:00Z') }]);
  await using visitor = await visitAdmin(app, { path: `${path}&charts=true` });
  const { page } = visitor;
  for (const [title, text] of [
    [figures.leads, 'No leads in this period.'],
    [figures.forms, 'Nobody started a form in this period.'],
    [figures.matches, 'No leads in this period.'],
    [figures.firstDelivery, 'No deliveries in this period.'],
    [figures.firstContact, 'No provider has reported an outcome in this period.'],
    [figures.deliveries, 'No delivery attempts in this period.'],
    [figures.demand, 'No leads without a provider in this period.'],
  ] as const) {
    await card(page, title).getByText(text).waitFor(patience);
    expect(await card(page, title).getByRole('button', { name: 'Export CSV' }).isDisabled()).toBe(true);
  }
  await page.getByText('No lead of this period has a provider.').waitFor(patience);
  expect(await page.locator('figure, table').count()).toBe(0);
  await visitor.expectAccessible();
});
