import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { rangeCopy } from '#client/admin/insights/copy.ts';
import { correctionCopy, takeAwayCopy } from '#client/admin/leads/copy.ts';
import { noteCopy, workCopy } from '#client/admin/leads/drawer/copy.ts';
import { adminMessages, helpCopy, paletteCopy } from '#shared/admin/copy.ts';
import { messages } from '#shared/brand/messages.ts';
import { leadCopy, leadFilterCopy } from '#shared/admin/leadCopy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { isFocused, row, rows, sendLead, toast } from '#test/support/leadList.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import type { TestApp } from '#test/support/testApp.ts';

async function setUp(app: TestApp): Promise<number> {
  await insertProvider(app.db, { name: 'Near Clinic', zipCode: '80202' });
  return sendLead(app, { zip_code: '80202', first_name: 'Alan', last_name: 'Zander' });
}

/** Where the page is seen beside a drawer and above a dialog. */
const pressPage = (page: Page) => page.mouse.click(300, 20);
const inDrawer = (page: Page) => page.locator('[data-drawer]');

test('a press on the page closes only what is on top of a drawer', async () => {
  await using app = await browserApp();
  const id = await setUp(app);
  await using visitor = await visitAdmin(app, { path: `/admin?lead=${id}` });
  const { page } = visitor;
  const correct = inDrawer(page).getByRole('button', { name: correctionCopy.actionOf('Phone') });
  await correct.click(patience);
  const dialog = page.getByRole('dialog', { name: correctionCopy.titles.phone });
  await dialog.waitFor(patience);
  // The drawer below takes no press.
  const email = inDrawer(page).getByText(correctionCopy.action, { exact: true }).first();
  const box = await email.evaluate((element) => {
    const { x, y } = element.getBoundingClientRect();
    return document.elementFromPoint(x + 2, y + 2)?.closest('[data-drawer]') !== null;
  });
  expect(box).toBe(false);
  await pressPage(page);
  await dialog.waitFor({ state: 'detached', ...patience });
  expect(await inDrawer(page).count()).toBe(1);
  await expect.poll(() => correct.evaluate(isFocused), patience).toBe(true);
  const picker = inDrawer(page).getByRole('button', { name: leadCopy.pick.change });
  await picker.click();
  const list = page.getByRole('listbox');
  await list.waitFor(patience);
  await pressPage(page);
  await list.waitFor({ state: 'detached', ...patience });
  expect(await inDrawer(page).count()).toBe(1);
  await pressPage(page);
  await inDrawer(page).waitFor({ state: 'detached', ...patience });
});

test('what is typed right after Ctrl+K is searched for, and Enter waits for results', async () => {
  await using app = await browserApp();
  const id = await setUp(app);
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await row(page, id).waitFor(patience);
  await visitor.settled();
  // No letter is lost to the page, where x would select and j move.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('xjxzander');
  const field = page.getByRole('dialog', { name: paletteCopy.open }).getByRole('combobox');
  await expect.poll(() => field.inputValue(), patience).toBe('xjxzander');
  expect(await rows(page).locator(':checked').count()).toBe(0);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached', ...patience });
  // Known before the server has answered.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('deliv');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: /^Deliveries/, selected: true }).waitFor(patience);
  // Known after it.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('zander');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: /Zander/ }).waitFor(patience);
});

test('the command palette leads to the choice of days: the next Tab is on 7 days', async () => {
  await using app = await browserApp();
  await setUp(app);
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: paletteCopy.label }).fill('Insights', patience);
  await page.getByRole('option', { name: /^Insights/, selected: true }).waitFor(patience);
  await page.keyboard.press('Enter');
  const week = page.getByRole('button', { name: rangeCopy.days(7), exact: true });
  await week.waitFor(patience);
  await page.keyboard.press('Tab');
  expect(await week.evaluate(isFocused)).toBe(true);
  // The two dates are folded: after the presets come the leads of those days.
  const total = page.getByRole('tabpanel').getByRole('link').first();
  await total.waitFor(patience);
  await page.getByRole('button', { name: rangeCopy.other }).press('Tab');
  expect(await total.evaluate(isFocused)).toBe(true);
});

test('Enter in a search leads to its first lead, or to all leads if the view has none', async () => {
  await using app = await browserApp();
  const id = await setUp(app);
  await using visitor = await visitAdmin(app, { path: '/admin?match=unmatched&quarantined=false' });
  const { page } = visitor;
  const search = page.getByRole('searchbox', { name: leadFilterCopy.search });
  await page.getByText('No leads here now').waitFor(patience);
  // Without waiting for the view's answer.
  await search.fill('zander', patience);
  await search.press('Enter');
  await row(page, id).waitFor(patience);
  expect(await search.evaluate(isFocused)).toBe(true);
  expect(await search.inputValue()).toBe('zander');
  await visitor.settled();
  await search.press('Enter');
  const name = row(page, id).getByRole('link', { name: /^Open / });
  await expect.poll(() => name.evaluate(isFocused), patience).toBe(true);
  // Nothing is left to widen.
  await search.fill('nobody');
  await page.getByText('No matching leads').waitFor(patience);
  const address = page.url();
  await search.press('Enter');
  await visitor.settled();
  expect(page.url()).toBe(address);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: paletteCopy.label }).fill('all leads', patience);
  await page.getByRole('option', { name: paletteCopy.allLeads, selected: true }).waitFor(patience);
  await page.keyboard.press('Enter');
  await row(page, id).waitFor(patience);
});

test('a lead is taken away in its row’s menu, and messages say which lead and clinic', async () => {
  await using app = await browserApp();
  const id = await setUp(app);
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await row(page, id)
    .getByRole('button', { name: /^More for / })
    .click(patience);
  await page.getByRole('menuitem', { name: takeAwayCopy.action }).click(patience);
  await toast(page, takeAwayCopy.done).getByText('Alan Zander').waitFor(patience);
  await row(page, id).getByText('Unmatched', { exact: true }).waitFor(patience);
  await page.keyboard.press('Control+z');
  await toast(page, takeAwayCopy.undone).waitFor(patience);
  await row(page, id).getByText('Near Clinic').waitFor(patience);
  await row(page, id)
    .getByRole('button', { name: /^More for / })
    .click();
  await page.getByRole('menuitem', { name: takeAwayCopy.action }).click(patience);
  await row(page, id).getByText('Unmatched', { exact: true }).waitFor(patience);
  await row(page, id).getByRole('button', { name: leadCopy.pick.placeholder }).click();
  await page.getByRole('option', { name: /^Near Clinic/ }).click(patience);
  const message = toast(page, 'Lead provider updated successfully');
  await message.getByText(/^Alan Zander: Near Clinic, \d\.\d miles$/).waitFor(patience);
  expect(await app.sql`select 1 from leads where id = ${id} and provider_id is not null`).toHaveLength(1);
});

test('the list of providers takes a lead away, and says that its clinic has the email', async () => {
  await using app = await browserApp();
  const id = await setUp(app);
  await app.sql`update deliveries set state = 'delivered', reason = null, next_attempt_at = null, finished_at = now(), attempts = 1`;
  await using visitor = await visitAdmin(app, { path: `/admin?lead=${id}` });
  const { page } = visitor;
  await inDrawer(page).getByText('Near Clinic', { exact: true }).first().waitFor(patience);
  await page.keyboard.press('a');
  const picker = page.getByRole('dialog', { name: leadCopy.pick.heading });
  await picker.getByRole('option', { name: takeAwayCopy.action }).waitFor(patience);
  await page.keyboard.type('take');
  await picker.getByRole('option', { name: takeAwayCopy.action, selected: true }).waitFor(patience);
  await page.keyboard.press('Enter');
  await toast(page, takeAwayCopy.doneSent).waitFor(patience);
  await inDrawer(page).getByText(leadCopy.badges.unmatched, { exact: true }).first().waitFor(patience);
  await page.keyboard.press('n');
  expect(await inDrawer(page).getByLabel(noteCopy.label, { exact: true }).evaluate(isFocused)).toBe(true);
  await page.keyboard.type('Call on Monday');
  await page.keyboard.press('Control+Enter');
  await toast(page, noteCopy.done).waitFor(patience);
  await inDrawer(page).getByText('Call on Monday').waitFor(patience);
});

test('a list whose code comes after the press opens in front of the drawer', async () => {
  await using app = await browserApp();
  const id = await setUp(app);
  await using visitor = await visitAdmin(app, { expectedConsole: /Failed to load resource/ });
  const { page } = visitor;
  let isDown = true;
  let refused = 0;
  await page.route('**/assets/SearchList-*.js', (route) => {
    if (!isDown) return route.continue();
    refused += 1;
    return route.abort();
  });
  await page.goto(`/admin?lead=${id}`);
  const picker = inDrawer(page).getByRole('button', { name: leadCopy.pick.change });
  await picker.waitFor(patience);
  await expect.poll(() => refused, patience).toBeGreaterThan(0);
  await visitor.settled();
  isDown = false;
  await picker.click();
  await page.getByRole('option', { name: takeAwayCopy.action }).click(patience);
  await toast(page, takeAwayCopy.done).waitFor(patience);
});

test('R leads to Resend to provider, and only Enter sends', async () => {
  await using app = await browserApp();
  const id = await setUp(app);
  await sendLead(app, { zip_code: '80202', first_name: 'Berta', last_name: 'Yarrow' });
  await app.sql`update deliveries set state = 'delivered', reason = null, next_attempt_at = null, finished_at = now(), attempts = 1`;
  await using visitor = await visitAdmin(app, { path: `/admin?lead=${id}` });
  const { page } = visitor;
  const drawerOf = (name: string) => page.getByRole('dialog', { name });
  const resend = inDrawer(page).getByRole('button', { name: leadCopy.resendToProvider });
  await resend.waitFor(patience);
  // Its place in the list is known: J and K work.
  await inDrawer(page).getByRole('button', { name: workCopy.previous }).waitFor(patience);
  const countSends = async () => {
    await visitor.settled();
    const [found] = await app.sql`select count(*)::int from deliveries where channel = 'provider-email'`;
    return Number(found?.['count']);
  };
  await page.keyboard.press('k');
  await drawerOf('Berta Yarrow').waitFor(patience);
  await resend.waitFor(patience);
  await page.keyboard.press('r');
  await expect.poll(() => resend.evaluate(isFocused), patience).toBe(true);
  // The next lead, which the browser has already.
  await page.keyboard.press('j');
  await drawerOf('Alan Zander').waitFor(patience);
  await resend.waitFor(patience);
  await page.keyboard.press('Enter');
  expect(await countSends()).toBe(2);
  await page.keyboard.press('r');
  await page.keyboard.press('r');
  expect(await countSends()).toBe(2);
  await page.keyboard.press('Enter');
  await toast(page, adminMessages.resendToProvider.done).waitFor(patience);
  expect(await countSends()).toBe(3);
});

test('an open lead says that its email is being sent, and then that it was', async () => {
  await using app = await browserApp({ worker: true });
  const provider = await insertProvider(app.db, { name: 'Near Clinic', zipCode: '80202' });
  const lead = await insertAgreed(app.db, { zipCode: '80202' });
  await using visitor = await visitAdmin(app, { path: `/admin?lead=${lead.id}` });
  const { page } = visitor;
  await inDrawer(page).getByText(leadCopy.badges.unmatched, { exact: true }).first().waitFor(patience);
  await page.keyboard.press('a');
  await page.getByRole('option', { name: provider.name }).click(patience);
  await inDrawer(page).getByText(`not sent. ${workCopy.emailLeaves}`).waitFor(patience);
  // It waits for an Undo.
  const sent = inDrawer(page)
    .getByText(/^Received .*, sent [^.]*$/)
    .first();
  await expect.poll(() => sent.isVisible(), patience).toBe(true);
});

test('a long dialog is scrolled by keys, and Alt with an arrow chooses no tab', async () => {
  await using app = await browserApp();
  await setUp(app);
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await page.setViewportSize({ width: 1280, height: 500 });
  await rows(page).first().waitFor(patience);
  await page.keyboard.press('?');
  const text = page.getByRole('dialog', { name: helpCopy.title }).locator('section');
  await expect.poll(() => text.evaluate(isFocused), patience).toBe(true);
  await page.keyboard.press('PageDown');
  await expect.poll(() => text.evaluate(({ scrollTop }) => scrollTop), patience).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  const tab = page.getByRole('tab', { name: /^Insights/ });
  await tab.click();
  await page.keyboard.press('Alt+ArrowUp');
  expect(await tab.getAttribute('aria-selected')).toBe('true');
});

test('the first action gets the focus of a button that is gone, and a note stays', async () => {
  await using app = await browserApp();
  const id = await setUp(app);
  await using visitor = await visitAdmin(app, { path: `/admin?lead=${id}` });
  const { page } = visitor;
  await inDrawer(page).getByRole('button', { name: takeAwayCopy.action }).press('Enter', patience);
  const picker = inDrawer(page).getByRole('button', { name: leadCopy.pick.placeholder });
  await expect.poll(() => picker.evaluate(isFocused), patience).toBe(true);
  // The focus comes back from nowhere, and from what is below.
  const isInside = () => inDrawer(page).evaluate((sheet) => sheet.contains(document.activeElement));
  await picker.evaluate((button) => button.blur());
  expect(await isInside()).toBe(false);
  await page.keyboard.press('Tab');
  expect(await isInside()).toBe(true);
  await page.evaluate(() => document.querySelector<HTMLElement>('#root a')?.focus());
  expect(await isInside()).toBe(true);
  await inDrawer(page).getByLabel(noteCopy.label).fill('Call on Monday');
  await page.keyboard.press('Escape');
  await inDrawer(page).waitFor({ state: 'detached', ...patience });
  await row(page, id)
    .getByRole('link', { name: /^Open / })
    .click();
  // Its keys are for the drawer, as at the first opening.
  const close = inDrawer(page).getByRole('button', { name: messages.close });
  await expect.poll(() => close.evaluate(isFocused), patience).toBe(true);
  expect(await inDrawer(page).getByLabel(noteCopy.label).inputValue(patience)).toBe('Call on Monday');
});
