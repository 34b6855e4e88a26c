import { expect, test } from 'vitest';
import { reminderCopy, followUpCopy, noteCopy, workCopy } from '#client/admin/leads/drawer/copy.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { leadDetailCopy } from '#shared/admin/leadDetailCopy.ts';
import { longDate } from '#shared/formats/writing.ts';
import { weekdays } from '#shared/providers/openingHours.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience, type Visit } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { rows, toast } from '#test/support/leadList.ts';
import { insertAgreed, insertLead, insertLeads } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';

/** What the list and its drawer need of a page. */
const drawerOf = ({ page }: Visit) => page.getByRole('dialog').first();
const undo = (visitor: Visit) => drawerOf(visitor).getByRole('button', { name: 'Undo' });
const dayMs = 86_400_000;

test('J, K and the arrows open the leads of the list in turn, also on its next page', async () => {
  await using app = await browserApp();
  const start = Date.parse('2026-06-01T12:00:00Z');
  const leads = await insertLeads(
    app.db,
    Array.from({ length: 42 }, (_, index) => ({
      ...{ firstName: 'Lead', lastName: `Number${index + 1}` },
      createdAt: new Date(start - index * 60_000),
    })),
  );
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await rows(page).first().waitFor(patience);
  await page.getByRole('link', { name: 'Open Lead Number39', exact: true }).click();
  const isOpen = async (nth: number): Promise<void> => {
    await page.getByRole('dialog', { name: `Lead Number${nth}`, exact: true }).waitFor(patience);
    await drawerOf(visitor).getByText(`${nth} of 42`, { exact: true }).waitFor(patience);
  };
  await isOpen(39);
  await page.keyboard.press('k');
  await isOpen(38);
  await page.keyboard.press('j');
  await isOpen(39);
  const next = drawerOf(visitor).getByRole('button', { name: workCopy.next });
  await next.click();
  await isOpen(40);
  await page.keyboard.press('j');
  await isOpen(41);
  await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('2');
  await next.click();
  await isOpen(42);
  // At the end of the list, the button keeps the focus and does nothing.
  expect(await next.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await isOpen(41);
  await page.keyboard.press('k');
  await isOpen(40);
  await visitor.expectAccessible();
  const viewed = await app.sql<{ id: number }[]>`
    select distinct subject_id::int as id from audit_log where action = 'lead.view' order by 1`;
  expect(viewed.map(({ id }) => id)).toEqual(
    leads
      .slice(37)
      .map(({ id }) => id)
      .toSorted((a, b) => a - b),
  );
});

test('A opens the providers of an open lead; picking its own one changes nothing', async () => {
  await using app = await browserApp();
  const own = await insertProvider(app.db, { name: 'Own Clinic', zipCode: '80202' });
  const other = await insertProvider(app.db, { name: 'Other Clinic', zipCode: '80301' });
  const lead = await insertAgreed(app.db, { providerId: own.id, zipCode: '80202' });
  await using visitor = await visitAdmin(app, { path: `/admin?lead=${lead.id}` });
  const { page } = visitor;
  const picker = page.getByRole('dialog', { name: leadCopy.pick.heading });
  const pick = async (name: string): Promise<void> => {
    await page.keyboard.press('a');
    await picker.getByRole('option', { name }).click(patience);
    await picker.waitFor({ state: 'detached', ...patience });
  };
  await drawerOf(visitor).getByRole('button', { name: leadCopy.pick.change }).waitFor(patience);
  await pick('Own Clinic');
  await pick('Other Clinic');
  await toast(page, adminMessages.assign.done).waitFor(patience);
  expect(await toast(page, adminMessages.assign.done).count()).toBe(1);
  const changes =
    await app.sql`select detail ->> 'providerId' as id from audit_log where action = 'lead.assign'`;
  expect([...changes]).toEqual([{ id: String(other.id) }]);
});

test('no key leaves a lead while a note is typed', async () => {
  await using app = await browserApp();
  await insertLeads(app.db, [{ lastName: 'First' }, { lastName: 'Second' }]);
  await using visitor = await visitAdmin(app);
  await rows(visitor.page).nth(1).getByRole('link').first().click(patience);
  const note = drawerOf(visitor).getByLabel(noteCopy.label, { exact: true });
  await note.focus(patience);
  const url = visitor.page.url();
  await visitor.page.keyboard.type('kjk');
  expect(await note.inputValue()).toBe('kjk');
  expect(visitor.page.url()).toBe(url);
});

test('staff note something and set a follow-up date, and take both back', async () => {
  await using app = await browserApp();
  const { id } = await insertLead(app.db);
  await using visitor = await visitAdmin(app, { path: `/admin?lead=${id}` });
  const drawer = drawerOf(visitor);
  const field = drawer.getByLabel(noteCopy.label, { exact: true });
  await field.fill('Prefers mornings.', patience);
  await drawer.getByRole('button', { name: noteCopy.add }).click();
  const noted = drawer.getByRole('listitem').filter({ hasText: 'Prefers mornings.' });
  await noted.getByText(leadDetailCopy.by('Test manager')).waitFor(patience);
  expect(await field.inputValue()).toBe('');
  await visitor.expectAccessible();
  await undo(visitor).click();
  await noted.waitFor({ state: 'detached', ...patience });
  expect(await field.inputValue()).toBe('Prefers mornings.');
  expect(await app.sql`select 1 from lead_notes`).toHaveLength(0);

  const tomorrow = await visitor.page.evaluate(() => {
    const date = new Date();
    date.setDate(date.getDate() + 1);
    return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
  });
  await drawer.getByRole('button', { name: followUpCopy.tomorrow }).click();
  await drawer.getByText(followUpCopy.on(tomorrow), { exact: true }).waitFor(patience);
  await drawer.getByText(longDate(tomorrow), { exact: true }).waitFor(patience);
  await visitor.expectAccessible();
  await undo(visitor).click();
  await drawer
    .getByText(followUpCopy.on(tomorrow), { exact: true })
    .waitFor({ state: 'detached', ...patience });
  const day = drawer.getByLabel(followUpCopy.label);
  await day.fill('2020-02-03');
  await drawer.getByRole('button', { name: followUpCopy.save }).click();
  await drawer.getByText(followUpCopy.overdue('2020-02-03'), { exact: true }).waitFor(patience);
  await drawer.getByRole('button', { name: followUpCopy.clear }).click();
  await drawer.getByText(followUpCopy.overdue('2020-02-03')).waitFor({ state: 'detached', ...patience });
  expect(await app.sql`select follow_up_on from leads`).toEqual([{ follow_up_on: null }]);
});

test('a recorded outcome is taken back from its message', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db);
  const { id } = await insertLead(app.db, { providerId: provider.id });
  await using visitor = await visitAdmin(app, { path: `/admin?lead=${id}` });
  const drawer = drawerOf(visitor);
  const booked = drawer
    .getByRole('group', { name: leadDetailCopy.recordOutcome })
    .getByRole('button', { name: 'Booked' });
  await booked.click(patience);
  await expect.poll(() => booked.getAttribute('aria-pressed'), patience).toBe('true');
  await drawer.getByRole('img', { name: /, booked after \d+ days$/ }).waitFor(patience);
  await undo(visitor).click();
  await drawer.getByText(adminMessages.outcome.undone).waitFor(patience);
  await expect.poll(() => booked.getAttribute('aria-pressed'), patience).toBe('false');
  expect(await app.sql`select 1 from lead_outcomes`).toHaveLength(0);
});

test('the nearest providers have miles and open leads, and one press assigns the lead', async () => {
  await using app = await browserApp();
  const near = await insertProvider(app.db, { name: 'Near Clinic', zipCode: '80202' });
  await insertProvider(app.db, { name: 'Far Clinic', zipCode: '10016' });
  const recent = { createdAt: new Date(), providerId: near.id };
  await insertLeads(app.db, [recent, recent, { ...recent, outcome: 'reached' }]);
  await insertLead(app.db, { providerId: near.id, createdAt: new Date(Date.now() - 31 * dayMs) });
  const { id } = await insertLead(app.db, { zipCode: '80202' });
  await using visitor = await visitAdmin(app, { path: `/admin?lead=${id}` });
  const drawer = drawerOf(visitor);
  const listed = drawer.locator('details li');
  await listed.first().waitFor(patience);
  expect((await listed.first().innerText()).replaceAll(/\s+/g, ' ')).toMatch(
    /^Near Clinic - 80202 0\.\d miles 2 open Assign$/,
  );
  await visitor.expectAccessible();
  await drawer.getByRole('button', { name: workCopy.assignTo('Near Clinic') }).focus();
  await visitor.page.keyboard.press('Enter');
  await expect.poll(() => listed.first().getAttribute('aria-current'), patience).toBe('true');
  await expect
    .poll(() => drawer.evaluate((element) => element.contains(document.activeElement)), patience)
    .toBe(true);
});

test('a silent clinic is reminded, and a consent that names another one is marked', async () => {
  await using app = await browserApp();
  const [named, present] = [
    await insertProvider(app.db, { name: 'Named Clinic' }),
    await insertProvider(app.db, {
      ...{ name: 'Present Clinic', timeZone: 'America/Denver' },
      hours: weekdays.map((day) => `${day} 00:00-24:00`).join('; '),
    }),
  ];
  const at = new Date(Date.now() - 2 * dayMs);
  const lead = await insertAgreed(
    app.db,
    { providerId: present.id, createdAt: at },
    { sellerProviderId: named.id, sellerName: named.name },
  );
  const sent = { channel: 'provider-email', state: 'delivered', createdAt: at } as const;
  await insertDelivery(app, { leadId: lead.id, providerId: present.id, ...sent });
  await using visitor = await visitAdmin(app, { path: `/admin?lead=${lead.id}` });
  const drawer = drawerOf(visitor);
  await drawer.getByRole('region', { name: workCopy.otherNamed('Named Clinic') }).waitFor(patience);
  await drawer.getByRole('img', { name: /no outcome for 2 days$/ }).waitFor(patience);
  expect(
    await drawer.getByRole('link', { name: `${workCopy.call} ${lead.phone}` }).getAttribute('href'),
  ).toMatch(/^tel:\+1/);
  await visitor.expectAccessible();
  const remind = drawer.getByRole('button', { name: reminderCopy.action });
  await remind.click();
  await drawer.getByText(reminderCopy.done).waitFor(patience);
  await drawer.getByText('Provider reminded').waitFor(patience);
  await remind.click();
  await drawer
    .getByText(/^One reminder a day/)
    .first()
    .waitFor(patience);
  expect(await app.sql`select 1 from lead_reminders`).toHaveLength(1);
});
