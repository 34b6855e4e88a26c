import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { leads } from '#server/db/schema/index.ts';
import { paletteCopy } from '#shared/admin/copy.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { row, rows, toast } from '#test/support/leadList.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import type { TestApp } from '#test/support/testApp.ts';

const leadCount = 30;
/** Three towns with a clinic each: the nearest of a lead is that of its own town. */
const zipCodes = ['80202', '99501', '10016'];

/** A morning's work: leads that wait for a clinic, one that its clinic never got, and an application. */
async function prepare(app: TestApp) {
  const clinics = new Map<string, number>();
  for (const zipCode of zipCodes)
    clinics.set(zipCode, (await insertProvider(app.db, { name: `Clinic ${zipCode}`, zipCode })).id);
  const waiting = await insertLeads(
    app.db,
    Array.from({ length: leadCount }, (_, at) => ({
      firstName: 'Waiting',
      lastName: `Number ${at}`,
      email: `waiting${at}@mail.example`,
      phone: `(303) 555-${String(2000 + at)}`,
      zipCode: zipCodes[at % zipCodes.length] ?? '',
      createdAt: new Date(),
    })),
  );
  const accented = await insertLead(app.db, {
    firstName: 'José',
    lastName: 'Núñez',
    providerId: clinics.get('80202'),
  });
  const lost = await insertLead(app.db, {
    lastName: 'Unreached',
    providerId: clinics.get('10016'),
    clinicNotReached: true,
    deliveryFailed: true,
    createdAt: new Date(),
  });
  const reason = 'The mailbox doesn’t exist.';
  await insertDelivery(app, {
    ...{
      leadId: lost.id,
      providerId: lost.providerId,
      channel: 'provider-email',
      state: 'failed',
      reason,
      attempts: 1,
    },
  });
  expect(
    (await app.post('/api/provider-applications', applicationInput({ practice_name: 'Juniper Street' })))
      .status,
  ).toBe(201);
  return { clinics, waiting, accented, lost, reason };
}

/** How a person works: by pointer or by keys, and how often. */
interface Person {
  page: Page;
  /** `key`: the shortcut that presses it for someone who works by keys. */
  press: (target: Locator, key?: string) => Promise<void>;
  /** By keys, from the command palette. */
  openTab: (name: string) => Promise<void>;
  actions: () => number;
}

function byPointer(page: Page, isTouch: boolean): Person {
  let count = 0;
  const press = (target: Locator): Promise<void> => {
    count += 1;
    return isTouch ? target.tap(patience) : target.click(patience);
  };
  return {
    page,
    actions: () => count,
    press,
    openTab: (name) => press(page.getByRole('tab', { name: new RegExp(`^${name}`) })),
  };
}

/** Nothing but keys: Tab to the target, then Enter, or the space bar for a checkbox. */
function byKeys(page: Page): Person {
  let count = 0;
  const stopsMax = 150;
  const isAt = (target: Locator) => target.evaluate((element) => element === document.activeElement);
  return {
    page,
    actions: () => count,
    openTab: async (name) => {
      count += 2;
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: paletteCopy.label });
      await expect.poll(() => isAt(field), patience).toBe(true);
      await page.keyboard.type(name);
      await page.getByRole('option', { name: new RegExp(`^${name}`), selected: true }).waitFor(patience);
      await page.keyboard.press('Enter');
    },
    press: async (target, key) => {
      await target.waitFor(patience);
      if (key !== undefined) {
        count += 1;
        return page.keyboard.press(key);
      }
      // Arrows move in a list, Tab between controls.
      const isOption = (await target.getAttribute('role')) === 'option';
      const isThere = isOption
        ? async () => (await target.getAttribute('aria-selected')) === 'true'
        : () => isAt(target);
      for (let stops = 0; !(await isThere()); stops += 1) {
        if (stops > stopsMax) throw new Error(`no key reaches ${String(target)}`);
        count += 1;
        await page.keyboard.press(isOption ? 'ArrowDown' : 'Tab');
      }
      count += 1;
      return page.keyboard.press((await target.getAttribute('type')) === 'checkbox' ? 'Space' : 'Enter');
    },
  };
}

async function work(app: TestApp, person: Person, isPhone: boolean): Promise<void> {
  const { clinics, waiting, accented, lost, reason } = await prepare(app);
  const { page, press, openTab } = person;
  const view = (name: string | RegExp) =>
    page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true });
  await page.reload();

  // Each waiting lead to its nearest clinic.
  await press(view(`Unmatched ${leadCount}`));
  await expect.poll(() => rows(page).count(), patience).toBe(leadCount);
  if (isPhone) await press(rows(page).first().getByRole('checkbox'));
  await press(
    isPhone
      ? page.getByRole('button', { name: leadCopy.selectAll })
      : page.getByRole('checkbox', { name: leadCopy.selectAll }),
  );
  await press(page.getByRole('button', { name: leadCopy.bulk.assign, exact: true }), 'a');
  await press(page.getByRole('option', { name: new RegExp(`^${leadCopy.pick.nearest}`) }));
  await toast(page, `${leadCount} leads assigned`).waitFor(patience);
  const places = await app.db
    .select({ zip: leads.zipCode, at: leads.providerId })
    .from(leads)
    .where(eq(leads.firstName, 'Waiting'));
  expect(places.filter(({ zip, at }) => at !== clinics.get(zip))).toEqual([]);

  // One by its phone, at another clinic and back.
  const [first] = waiting;
  if (first === undefined) throw new Error('there are leads');
  const search = page.getByRole('searchbox');
  const find = async (text: string, id: number): Promise<void> => {
    await press(search, '/');
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    await row(page, id).waitFor(patience);
  };
  await press(view(/^All /));
  await find('303.555.2000', first.id);
  await press(row(page, first.id).getByRole('button', { name: leadCopy.pick.change }));
  await press(page.getByRole('option', { name: /^Clinic 99501/ }));
  const readProvider = async (id: number) =>
    (await app.db.select({ at: leads.providerId }).from(leads).where(eq(leads.id, id)))[0]?.at;
  await expect.poll(() => readProvider(first.id), patience).toBe(clinics.get('99501'));
  const undo = page.getByRole('button', { name: 'Undo' }).last();
  await press(undo, 'Control+z');
  await expect.poll(() => readProvider(first.id), patience).toBe(clinics.get(first.zipCode));
  await find('nunez', accented.id);

  // Why the clinic doesn't have it, and again to the clinic.
  await press(view('Clinic not reached 1'));
  await row(page, lost.id).waitFor(patience);
  await press(row(page, lost.id).getByRole('link', { name: /^Open / }));
  const drawer = page.getByRole('dialog').first();
  await drawer.getByText(reason).first().waitFor(patience);
  await press(drawer.getByRole('button', { name: leadCopy.resendToProvider }));
  await expect
    .poll(
      () =>
        app.sql`select 1 from deliveries where lead_id = ${lost.id} and channel = 'provider-email' and state <> 'failed'`,
      patience,
    )
    .toHaveLength(1);
  await page.keyboard.press('Escape');

  // The application.
  await openTab('Applications');
  await press(page.getByRole('link', { name: 'Open Juniper Street' }));
  await press(page.getByRole('button', { name: 'Approve Juniper Street' }));
  await expect.poll(() => app.sql`select 1 from providers where status = 'f'`, patience).toHaveLength(1);
  await page.keyboard.press('Escape');

  // The week.
  await openTab('Insights');
  await page
    .getByRole('tabpanel', { name: 'Insights' })
    .getByText(String(leadCount + 1))
    .first()
    .waitFor(patience);
}

test('a morning’s work takes at most 30 clicks', async () => {
  await using app = await browserApp();
  await using visitor = await visitAdmin(app);
  const person = byPointer(visitor.page, false);
  await work(app, person, false);
  expect(person.actions()).toBeLessThanOrEqual(30);
});

test('a morning’s work is done by keys', async () => {
  await using app = await browserApp();
  await using visitor = await visitAdmin(app);
  const person = byKeys(visitor.page);
  await work(app, person, false);
  expect(person.actions()).toBeLessThanOrEqual(600);
});

test('a morning’s work takes at most 32 taps on a phone', async () => {
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, { width: 360, touch: true });
  const person = byPointer(visitor.page, true);
  await work(app, person, true);
  expect(person.actions()).toBeLessThanOrEqual(32);
});
