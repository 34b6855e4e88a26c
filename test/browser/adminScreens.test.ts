import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { factorCopy, gateCopy } from '#client/admin/signIn/copy.ts';
import type { TabKey } from '#client/admin/shell/tabs.ts';
import { deliveryAttempts, staffSessions } from '#server/db/schema/index.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { browserApp, patience, type Visit } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertInsightSamples } from '#test/support/insightSamples.ts';
import { sendLead } from '#test/support/leadList.ts';
import { readLook } from '#test/support/look.ts';
import { meets } from '#test/support/meets.ts';
import type { TestApp } from '#test/support/testApp.ts';
import { insertEndpoint, insertWebhook } from '#test/support/webhookRows.ts';

/** What a tab can open. */
interface Part {
  name: string;
  open: (page: Page, app: TestApp) => Promise<unknown>;
  /** A selector of what it opens; left out, a dialog, a menu or a list. */
  shows?: string;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const press = (name: string | RegExp) => (page: Page) => button(page, name).click(patience);
const overlay = ['[role=dialog]', '[role=menu]', '[role=listbox]']
  .map((selector) => `${selector}:visible`)
  .join(', ');

async function chooseAccount(page: Page, item: string): Promise<void> {
  await button(page, /^Signed in as /).click(patience);
  await page.getByRole('menuitem', { name: item }).click(patience);
}

/** Asks to prove who one is, some time after the sign-in. */
async function createToken(page: Page, app: TestApp): Promise<void> {
  await app.db.update(staffSessions).set({ createdAt: new Date(Date.now() - 16 * 60_000) });
  const form = page.getByRole('dialog', { name: 'New token' });
  await form.getByLabel('Name').fill('Nightly', patience);
  await form.getByLabel(/^leads:read/).check();
  await form.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('dialog', { name: gateCopy.confirm.title }).waitFor(patience);
}

/** What every tab has. */
const everywhere: readonly Part[] = [
  { name: 'search and commands', open: (page) => page.keyboard.press('Control+k') },
  { name: 'help with the setup list', open: (page) => page.keyboard.press('?') },
  { name: 'account menu', open: press(/^Signed in as /) },
  { name: 'two-factor sign-in', open: (page) => chooseAccount(page, factorCopy.title) },
];

const csv = 'wordpress_id,name,email,zip_code\n12,Amber Quay,amber@example.com,80202\n14,Broken,none,80202\n';
const upload = { name: 'clinics.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };

/** Of each tab; what isn't closed by Escape comes last. A new tab doesn't compile without an entry. */
const parts: Record<TabKey, readonly Part[]> = {
  leads: [
    ...everywhere,
    { name: 'filters', open: press('Add filter') },
    { name: 'views', open: press(/^More( \d+)?$/) },
    { name: 'list of providers', open: press(leadCopy.pick.change) },
    { name: 'row menu', open: press(/^More for /) },
    {
      name: 'drawer',
      open: (page) =>
        page
          .getByRole('link', { name: /^Open / })
          .first()
          .click(patience),
    },
    {
      name: 'selection with its list of providers',
      open: async (page) => {
        await page.getByRole('checkbox', { name: leadCopy.selectAll }).check(patience);
        await button(page, leadCopy.bulk.assign).click(patience);
      },
    },
  ],
  applications: [
    {
      name: 'drawer',
      open: (page) =>
        page
          .getByRole('link', { name: /^Open / })
          .first()
          .click(patience),
    },
  ],
  providers: [
    { name: 'row menu', open: press(/^More about /) },
    { name: 'new provider', open: press('Add provider') },
    {
      name: 'preview of an upload',
      open: async (page) => {
        await button(page, 'Upload CSV').click(patience);
        await page.getByLabel('CSV file').setInputFiles(upload);
      },
      shows: ':text("1 would be new")',
    },
    { name: 'sync', open: press('Sync details') },
    {
      name: 'page of a provider',
      open: (page) => page.locator('[data-provider] a').first().click(patience),
      shows: '#provider-settings form',
    },
  ],
  insights: [{ name: 'charts', open: press('Show charts'), shows: 'svg.recharts-surface' }],
  deliveries: [{ name: 'attempts', open: press(/^\d attempts?/) }],
  outbox: [],
  team: [],
  tokens: [
    { name: 'new token', open: press('New token') },
    {
      name: 'confirmation of who one is',
      open: async (page, app) => {
        await button(page, 'New token').click(patience);
        await createToken(page, app);
      },
    },
  ],
  integrations: [
    { name: 'new endpoint', open: press('Add endpoint') },
    { name: 'endpoint', open: press(/^Edit /) },
    { name: 'replay', open: press(/^Replay since/) },
    { name: 'new secret', open: press(/^New secret for /) },
    { name: 'removal', open: press(/^Remove /) },
  ],
  claims: [],
  audit: [],
};

/** On a fresh installation, what needs no data. */
const emptyParts: Partial<Record<TabKey, readonly Part[]>> = { leads: everywhere };

async function fill(app: TestApp): Promise<void> {
  await insertProvider(app.db, { zipCode: '80202', paused: true });
  await insertProvider(app.db, { zipCode: '60601', status: 'f' });
  await insertInsightSamples(app.db, { days: 2, leadsPerDay: 6, now: new Date() });
  for (const zip of ['80202', '99501']) await sendLead(app, { zip_code: zip });
  await app.post('/api/provider-applications', applicationInput());
  const endpointId = await insertEndpoint(app);
  await insertEndpoint(app, { disabledAt: new Date(), disabledReason: 'staff' });
  const reason = 'The endpoint returned HTTP 400.';
  const deliveryId = await insertWebhook(app, {
    ...{ endpointId, event: { type: 'lead.created', leadId: 1 }, state: 'failed', attempts: 1, reason },
    createdAt: new Date(),
  });
  await app.db.insert(deliveryAttempts).values({
    ...{ deliveryId, channel: 'webhook', durationMs: 42, outcome: 'failed', status: 'HTTP 400', reason },
  });
}

/** Closes what is open, one overlay after the other. */
async function close(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const open = await page.locator(overlay).count();
      if (open > 0) await page.keyboard.press('Escape');
      return open;
    }, patience)
    .toBe(0);
}

async function findFaults({ page, settled, expectAccessible }: Visit): Promise<void> {
  await settled();
  await expectAccessible();
  const { bands, ...plain } = await readLook(page);
  expect(plain).toEqual({ seen: true, decorated: [] });
  expect(bands).toBeLessThanOrEqual(1);
}

test.each(['filled', 'empty'] as const)(
  'every tab and overlay of a %s dashboard is accessible, without decoration',
  async (state) => {
    meets('D.people.05');
    await using app = await browserApp();
    if (state === 'filled') await fill(app);
    await using visitor = await visitAdmin(app, { role: 'owner', expectedConsole: /status of 403/ });
    const { page } = visitor;
    const keys = await page
      .getByRole('tab')
      .evaluateAll((tabs) => tabs.map((tab) => tab.id.replace('tab-', '')));
    expect(keys).toEqual(expect.arrayContaining(Object.keys(parts).filter((key) => key !== 'outbox')));
    for (const key of keys as TabKey[]) {
      await page.locator(`#tab-${key}`).click(patience);
      await page.locator(`#panel-${key}`).waitFor(patience);
      await findFaults(visitor);
      for (const { open, shows = overlay } of (state === 'filled' ? parts[key] : emptyParts[key]) ?? []) {
        await open(page, app);
        await page.locator(shows).first().waitFor(patience);
        await findFaults(visitor);
        await close(page);
      }
    }
  },
);
