import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { isFocused, sendLead } from '#test/support/leadList.ts';

const getOverflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
const ann = { first_name: 'Ann', last_name: 'Reader', email: 'ann@mail.example' };

test('an owner exports a person’s data, and erases it by typing the lead’s number', async () => {
  await using app = await browserApp();
  const id = await sendLead(app, ann);
  const again = await sendLead(app, { ...ann, phone: '303 555 0177' });
  await using visitor = await visitAdmin(app, {
    role: 'owner',
    path: `/admin?lead=${id}`,
    expectedConsole: /status of 422/,
  });
  const { page } = visitor;
  const drawer = page.getByRole('dialog', { name: 'Ann Reader' });
  await drawer.getByRole('button', { name: 'Export this person’s data' }).click(patience);
  const exporting = page.getByRole('dialog', { name: `Export the data of the person in lead #${id}` });
  await exporting.getByText(`#${again}`).waitFor(patience);
  const file = page.waitForEvent('download');
  await exporting.getByRole('button', { name: 'Download' }).click();
  expect((await file).suggestedFilename()).toBe(`person-of-lead-${id}.json`);

  await drawer.getByRole('button', { name: 'Erase this person…' }).click();
  const dialog = page.getByRole('dialog', { name: `Erase the person in lead #${id}` });
  await dialog.getByText(`#${again}`).waitFor(patience);
  expect(await dialog.getByText('Same email', { exact: true }).count()).toBe(2);
  expect(await dialog.getByRole('checkbox').count()).toBe(0);
  await visitor.expectAccessible();
  const confirm = dialog.getByRole('button', { name: 'Erase permanently' });
  await confirm.click();
  await dialog.getByText('Type the number of the lead').waitFor(patience);
  const field = dialog.getByLabel(`Type ${id} to confirm`);
  await expect.poll(() => field.evaluate(isFocused), patience).toBe(true);
  await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('An authority requested it');
  await field.fill(String(id));
  await confirm.click();

  const erased = page.getByRole('dialog', { name: 'Erased' });
  await erased.getByText('The person was erased on').waitFor(patience);
  await erased.getByText('Person erased').waitFor(patience);
  for (const gone of ['Erase this person…', 'Restore'])
    expect(await erased.getByRole('button', { name: gone }).count()).toBe(0);
  expect(await page.locator('body').innerText()).not.toContain('ann@mail.example');
  await visitor.expectAccessible();
  const left = await app.sql`select 1 from leads where erased_at is null`;
  expect(left).toHaveLength(0);
  const [line] =
    await app.sql`select detail ->> 'reason' as reason from audit_log where action = 'person.erase' limit 1`;
  expect(line).toEqual({ reason: 'authority' });
});

test.each([360, 768, 1280])(
  'at %i px the erasure works by keyboard only, fits the screen and is accessible',
  async (width) => {
    await using app = await browserApp();
    const id = await sendLead(app, ann);
    await using visitor = await visitAdmin(app, { role: 'owner', width, path: `/admin?lead=${id}` });
    const { page } = visitor;
    const open = page.getByRole('button', { name: 'Erase this person…' });
    await open.waitFor(patience);
    await open.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `Erase the person in lead #${id}` });
    await dialog.getByText('This is this person’s only lead.').waitFor(patience);
    expect(await getOverflow(page)).toBeLessThanOrEqual(0);
    await visitor.expectAccessible();
    for (const control of await dialog.getByRole('button').all())
      expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44);

    await page.keyboard.press('Escape');
    // The page learns of it a moment after the browser has closed the dialog.
    await page.getByText('This is this person’s only lead.').waitFor({ state: 'detached', ...patience });
    await expect.poll(() => open.evaluate(isFocused), patience).toBe(true);
    await open.press('Enter');
    const field = dialog.getByLabel(`Type ${id} to confirm`);
    await field.waitFor(patience);
    for (let presses = 0; !(await field.evaluate(isFocused)); presses++) {
      expect(presses).toBeLessThan(6);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type(String(id));
    await page.keyboard.press('Enter');
    const erased = page.getByRole('dialog', { name: 'Erased' });
    await erased.getByText('The person was erased on').waitFor(patience);
    // The button has disappeared, and the focus stays in the drawer.
    await expect
      .poll(() => erased.evaluate((drawer) => drawer.contains(document.activeElement)), patience)
      .toBe(true);
    // The form was at the drawer's end, and the result is at its top.
    const notice = erased.getByText('The person was erased on');
    const scrolled = () => notice.evaluate((text) => text.closest('[data-modal] > section')?.scrollTop);
    await expect.poll(scrolled, patience).toBe(0);
    expect(await getOverflow(page)).toBeLessThanOrEqual(0);
    await visitor.expectAccessible();
  },
);

test('leads with only the phone in common are ticked if the name is equal; others stay', async () => {
  await using app = await browserApp();
  const id = await sendLead(app, { ...ann, first_name: 'Zoë', phone: '303 555 0142' });
  const same = await sendLead(app, {
    ...ann,
    first_name: 'zoe',
    email: 'z@mail.example',
    phone: '303 555 0142',
  });
  const other = await sendLead(app, { ...ann, email: 'other@mail.example', phone: '(303) 555-0142' });
  await using visitor = await visitAdmin(app, { role: 'owner', width: 360, path: `/admin?lead=${id}` });
  const { page } = visitor;
  await page.getByRole('button', { name: 'Erase this person…' }).click(patience);
  const dialog = page.getByRole('dialog', { name: `Erase the person in lead #${id}` });
  const box = (lead: number) => dialog.getByRole('checkbox', { name: `#${lead}` });
  await box(other).waitFor(patience);
  expect(await box(same).isChecked()).toBe(true);
  expect(await box(other).isChecked()).toBe(false);
  expect(await dialog.getByText('Phone matches only', { exact: true }).count()).toBe(2);
  const group = dialog.getByRole('group', { name: 'Which of these leads are from this person?' });
  expect(await group.getByRole('checkbox').count()).toBe(2);
  expect(await group.ariaSnapshot()).toMatch(/Phone numbers can be shared[^]*checkbox/);
  const described = await group.evaluate((element) => {
    const hint = document.getElementById(element.getAttribute('aria-describedby') ?? '');
    return hint?.textContent;
  });
  expect(described).toContain('Phone numbers can be shared');
  expect(await getOverflow(page)).toBeLessThanOrEqual(0);
  await visitor.expectAccessible();
  await dialog.getByLabel(`Type ${id} to confirm`).fill(String(id));
  await dialog.getByRole('button', { name: 'Erase permanently' }).click();
  await page.getByRole('dialog', { name: 'Erased' }).getByText('The person was erased on').waitFor(patience);
  const left = await app.sql`select id::int as id from leads where erased_at is null`;
  expect([...left]).toEqual([{ id: other }]);
});

test('a failed erasure keeps the form’s values, and shows the person’s new lead', async () => {
  await using app = await browserApp();
  const phone = '303 555 0142';
  const id = await sendLead(app, { ...ann, phone });
  const same = await sendLead(app, { ...ann, email: 'a@mail.example', phone });
  await using visitor = await visitAdmin(app, {
    role: 'owner',
    path: `/admin?lead=${id}`,
    expectedConsole: /ERR_FAILED|status of 409/,
  });
  const { page } = visitor;
  const finds = '**/trpc/admin.personalData.find*';
  await page.route(finds, (route) => route.abort());
  await page.getByRole('button', { name: 'Erase this person…' }).click(patience);
  const dialog = page.getByRole('dialog', { name: `Erase the person in lead #${id}` });
  const retry = dialog.getByRole('button', { name: 'Try again' });
  await retry.waitFor(patience);
  await page.unroute(finds);
  await retry.click();
  const box = dialog.getByRole('checkbox', { name: `#${same}` });
  const field = dialog.getByLabel(`Type ${id} to confirm`);
  const confirm = dialog.getByRole('button', { name: 'Erase permanently' });
  const isKept = async () => [await box.isChecked(), await field.inputValue()];
  await box.uncheck(patience);
  await field.fill(String(id));

  let asked = 0;
  await page.route(finds, (route) => {
    asked += 1;
    return route.abort();
  });
  await page.route('**/trpc/admin.personalData.erase*', (route) => route.abort());
  await confirm.click();
  await dialog.getByRole('alert').filter({ hasText: /\S/ }).waitFor(patience);
  expect([asked, ...(await isKept())]).toEqual([0, false, String(id)]);

  const came = await sendLead(app, { ...ann, phone: '303 555 0177' });
  await page.unroute('**/trpc/admin.personalData.erase*');
  await confirm.click();
  await retry.waitFor(patience);
  await dialog.getByText('More leads were found').waitFor(patience);
  expect(await isKept()).toEqual([false, String(id)]);
  await page.unroute(finds);
  await retry.click();
  await dialog.getByText(`#${came}`).waitFor(patience);
  expect(await isKept()).toEqual([false, String(id)]);
  await confirm.click();
  await page.getByRole('dialog', { name: 'Erased' }).getByText('The person was erased on').waitFor(patience);
  const left = await app.sql`select id::int as id from leads where erased_at is null`;
  expect([...left]).toEqual([{ id: same }]);
});

test('a manager sees neither export nor erasure', async () => {
  await using app = await browserApp();
  const id = await sendLead(app, ann);
  await using visitor = await visitAdmin(app, { role: 'manager', path: `/admin?lead=${id}` });
  const drawer = visitor.page.getByRole('dialog', { name: 'Ann Reader' });
  await drawer.getByRole('heading', { name: 'History' }).waitFor(patience);
  for (const name of ['Export this person’s data', 'Erase this person…'])
    expect(await drawer.getByRole('button', { name }).count()).toBe(0);
});
