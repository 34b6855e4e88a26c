import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { getName, isFocused, keepToast, row, rows, sendLead, toast } from '#test/support/leadList.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import type { TestApp } from '#test/support/testApp.ts';

/** A page of leads as varied as real ones. Newest first. */
async function insertPage(app: TestApp): Promise<number[]> {
  const provider = await insertProvider(app.db, { name: 'Mountain Thistle Health and Wellness Center' });
  const has = { providerId: provider.id } as const;
  const leads = await insertLeads(
    app.db,
    Array.from({ length: 41 }, (_, index) => ({
      firstName: 'Bartholomew',
      lastName: `Featherstonehaugh ${index}`,
      email: `bartholomew.featherstonehaugh.${index}@mail.example`,
      ...(index % 3 === 0 ? {} : has),
      ...(index % 3 === 1 ? ({ outcome: 'not-reachable', filledHoneypot: true } as const) : {}),
      crmSyncStatus: index % 2 === 0 ? ('failed' as const) : ('success' as const),
    })),
  );
  for (const { id, providerId, crmSyncStatus } of leads) {
    const reason = 'The CRM returned HTTP 422: Property "zip" is not valid for this contact.';
    if (crmSyncStatus === 'failed')
      await insertDelivery(app, { leadId: id, channel: 'crm', state: 'failed', reason });
    if (providerId !== null)
      await insertDelivery(app, {
        leadId: id,
        channel: 'provider-email',
        providerId,
        state: 'failed',
        reason,
      });
  }
  await app.sql`update leads set clinic_not_reached = provider_id is not null`;
  return leads.map(({ id }) => id).toReversed();
}

const scrollers = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('body *')].filter((element) => {
        const { overflowY } = getComputedStyle(element);
        return ['auto', 'scroll'].includes(overflowY) && element.scrollHeight > element.clientHeight + 1;
      }).length,
  );

test('on a laptop, twelve leads are in view; only the page scrolls, under the head', async () => {
  await using app = await browserApp();
  await insertPage(app);
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => rows(page).count(), patience).toBe(40);
  const boxes = await rows(page).evaluateAll((found) =>
    found.map((tr) => {
      const { height, bottom } = tr.getBoundingClientRect();
      return { height, bottom };
    }),
  );
  expect(Math.max(...boxes.map(({ height }) => height))).toBeLessThanOrEqual(52);
  expect(boxes.filter(({ bottom }) => bottom <= 800).length).toBeGreaterThanOrEqual(12);
  expect(await scrollers(page)).toBe(0);
  await visitor.expectAccessible();
  await rows(page).last().scrollIntoViewIfNeeded();
  const head = await page.getByRole('columnheader', { name: leadCopy.columns.provider }).boundingBox();
  expect(head?.y).toBeGreaterThanOrEqual(0);
  expect(head?.y).toBeLessThan(100);
});

test('keys go through the rows, open a lead, its email and its list of providers', async () => {
  await using app = await browserApp();
  await insertProvider(app.db, { name: 'Near Clinic', zipCode: '80202' });
  const [older, newer] = [await sendLead(app, { zip_code: '80202' }), await sendLead(app)];
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await rows(page).first().waitFor(patience);
  const expectFocus = async (id: number): Promise<void> => {
    await expect.poll(() => getName(page, id).evaluate(isFocused), patience).toBe(true);
  };
  await page.keyboard.press('j');
  await expectFocus(newer);
  await page.keyboard.press('j');
  await expectFocus(older);
  // It is the last one.
  await page.keyboard.press('j');
  await expectFocus(older);
  await page.keyboard.press('k');
  await expectFocus(newer);
  await page.evaluate(() =>
    document.addEventListener('click', (event) => {
      if (!(event.target instanceof HTMLAnchorElement) || event.target.protocol !== 'mailto:') return;
      event.preventDefault();
      document.body.dataset.written = event.target.href;
    }),
  );
  await page.keyboard.press('e');
  const email = await row(page, newer).locator('a[href^="mailto:"]').getAttribute('href');
  expect(await page.evaluate(() => document.body.dataset.written)).toBe(email);
  await page.keyboard.press('a');
  await page.getByRole('option', { name: /^Near Clinic/ }).waitFor(patience);
  await page.keyboard.press('Escape');
  await getName(page, older).focus();
  await page.keyboard.press('a');
  await page.getByRole('option', { name: /^Near Clinic/ }).waitFor(patience);
  await page.keyboard.press('Escape');
  await getName(page, older).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor(patience);
  await page.keyboard.press('Escape');
  await expectFocus(older);
});

test('a press beside a row’s controls opens the lead; the focus returns to its name', async () => {
  await using app = await browserApp();
  const id = await sendLead(app);
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await row(page, id).locator('[data-cell=date]').click(patience);
  await page.getByRole('dialog').waitFor(patience);
  expect(new URL(page.url()).searchParams.get('lead')).toBe(String(id));
  await page.keyboard.press('Escape');
  await expect.poll(() => getName(page, id).evaluate(isFocused), patience).toBe(true);
});

test('the menus above the list and in a row are accessible, and return the focus', async () => {
  await using app = await browserApp();
  const id = await sendLead(app);
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await row(page, id).waitFor(patience);
  for (const [button, opened] of [
    [page.getByRole('button', { name: 'Add filter' }), page.getByRole('option', { name: 'CRM status' })],
    [
      page.getByRole('button', { name: 'More', exact: true }),
      page.getByRole('menuitem', { name: 'Deleted' }),
    ],
    [
      row(page, id).getByRole('button', { name: /^More for / }),
      page.getByRole('menuitem', { name: leadCopy.resendToProvider }),
    ],
  ] as const) {
    await button.press('Enter');
    await opened.waitFor(patience);
    await visitor.expectAccessible();
    await page.keyboard.press('Escape');
    await opened.waitFor({ ...patience, state: 'detached' });
    await expect.poll(() => button.evaluate(isFocused), patience).toBe(true);
  }
});

test('typing in the menu of filters finds the choices of all; Backspace goes back', async () => {
  await using app = await browserApp();
  await sendLead(app);
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await rows(page).first().waitFor(patience);
  await page.getByRole('button', { name: 'Add filter' }).press('Enter');
  await page.getByRole('option', { name: 'Outcome' }).click(patience);
  await page.getByRole('option', { name: 'Booked', exact: true }).waitFor(patience);
  await page.keyboard.press('Backspace');
  await page.getByRole('option', { name: 'Outcome' }).waitFor(patience);
  await page.keyboard.type('booked');
  await page.getByRole('option', { name: 'Booked', exact: true, selected: true }).waitFor(patience);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove filter: Outcome: Booked' }).waitFor(patience);
  await expect.poll(() => new URL(page.url()).searchParams.get('outcome')).toBe('booked');
  await expect
    .poll(() => page.getByRole('button', { name: 'Add filter' }).evaluate(isFocused), patience)
    .toBe(true);
});

test('all matching leads are changed without being fetched, and Undo restores them', async () => {
  await using app = await browserApp();
  await insertPage(app);
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await rows(page).first().waitFor(patience);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/admin\.leads\.(?:list|bulk)/.test(request.url())) asked.push(request.postData() ?? 'list');
  });
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const bar = page.getByRole('region', { name: 'Selected leads' });
  await bar.getByRole('button', { name: leadCopy.bulk.selectMatching(41) }).click(patience);
  await bar.getByText('41 selected').waitFor(patience);
  expect(asked).toEqual([]);
  await bar.getByRole('button', { name: 'Delete' }).click();
  await keepToast(page, '41 leads deleted');
  expect(asked[0]).toMatch(/"expected":41/);
  await page.getByText('No leads yet').waitFor(patience);
  await page.getByRole('button', { name: 'Undo' }).click();
  await toast(page, '41 leads restored').waitFor(patience);
  await page.getByText('Total: 41 leads').waitFor(patience);
});

test('a list that is too long to select says how short it must be', async () => {
  await using app = await browserApp();
  await insertPage(app);
  await using visitor = await visitAdmin(app, { path: '/admin?tab=applications' });
  const { page } = visitor;
  await page.route('**/trpc/*admin.leads.list*', async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replace('"total":41', '"total":10001');
    await route.fulfill({ response, body: text });
  });
  await page.goto('/admin');
  await page.getByText('Total: 10,001 leads').waitFor(patience);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const bar = page.getByRole('region', { name: 'Selected leads' });
  await bar.getByText(leadCopy.bulk.tooMany(10_000)).waitFor(patience);
  expect(await bar.getByRole('button', { name: /matching/ }).count()).toBe(0);
});
