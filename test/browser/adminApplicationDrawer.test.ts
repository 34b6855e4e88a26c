import { expect, test } from 'vitest';
import { adminMessages, paletteCopy } from '#shared/admin/copy.ts';
import { confirmAddressPath } from '#shared/pages/paths.ts';
import { providers } from '#server/db/schema/index.ts';
import { signAddress } from '#server/features/providers/confirmAddress.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { isFocused } from '#test/support/leadList.ts';
import { pressLink } from '#test/support/linkForm.ts';
import type { TestApp } from '#test/support/testApp.ts';

const path = '/admin?tab=applications';

async function apply(app: TestApp, fields: Parameters<typeof applicationInput>[0] = {}): Promise<number> {
  const input = applicationInput({
    practice_name: 'Juniper Street',
    contact_name: 'Kit Elmsworth',
    ...fields,
  });
  const answer = await app.post('/api/provider-applications', input);
  expect(answer.status).toBe(201);
  return Number(Object(answer.json()).id);
}

test('a row opens a drawer with answers, distance and demand, as its address does', async () => {
  await using app = await browserApp();
  const message = 'We have three rooms.\nTwo physicians trained in June.';
  const id = await apply(app, { zip_code: '80202', message });
  await insertProvider(app.db, {
    name: 'Amber Quay',
    zipCode: '80203',
    latitude: null,
    longitude: null,
  });
  await app.sql`update provider_applications set created_at = now() - interval '50 hours'`;
  await using visitor = await visitAdmin(app, { path });
  const { page } = visitor;
  await page.getByRole('link', { name: 'Open Juniper Street' }).click(patience);
  const drawer = page.getByRole('dialog', { name: 'Juniper Street' });
  await drawer.getByText('Fewer than 10 people within 50 miles asked in 90 days.').waitFor(patience);
  const text = await drawer.innerText();
  for (const part of [
    'Kit Elmsworth',
    'Practice manager',
    'Two physicians trained in June.',
    'Overdue since',
  ])
    expect(text).toContain(part);
  expect(text).toMatch(/\d\.\d miles, Amber Quay/);
  await visitor.expectAccessible();
  expect(new URL(page.url()).searchParams.get('application')).toBe(String(id));
  await page.reload();
  await drawer.getByText('Kit Elmsworth').waitFor(patience);
  await page.keyboard.press('Escape');
  await expect.poll(() => new URL(page.url()).searchParams.get('application'), patience).toBe(null);
  // From any tab, by the contact's name.
  await page.goto('/admin');
  await page.getByRole('tablist').waitFor(patience);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: paletteCopy.open });
  await palette.waitFor(patience);
  await page.keyboard.type('elmsw');
  await palette.getByRole('option', { name: /^Juniper Street/, selected: true }).waitFor(patience);
  await page.keyboard.press('Enter');
  await drawer.getByText('Kit Elmsworth').waitFor(patience);
  await page.getByRole('tabpanel', { name: /^Applications/, includeHidden: true }).waitFor(patience);
  await page.keyboard.press('Escape');
  await expect.poll(() => new URL(page.url()).searchParams.get('application'), patience).toBe(null);
  // What had the focus before is gone.
  await expect.poll(() => page.getByRole('tabpanel').evaluate(isFocused), patience).toBe(true);
  for (const width of [360, 768]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${path}&application=${id}`);
    await drawer.getByText('Kit Elmsworth').waitFor(patience);
    const overflow = await drawer.evaluate((sheet) => sheet.scrollWidth - sheet.clientWidth);
    expect([width, overflow]).toEqual([width, 0]);
    await visitor.expectAccessible();
  }
});

test('Approve lists what is missing; the clinic confirms, staff activate, Undo ends it', async () => {
  await using app = await browserApp();
  const id = await apply(app, { email: 'kit@juniper.example' });
  await using visitor = await visitAdmin(app, { path: `${path}&application=${id}` });
  const { page } = visitor;
  const drawer = page.getByRole('dialog', { name: 'Juniper Street', exact: true });
  await drawer.getByRole('button', { name: 'Approve Juniper Street' }).press('Enter', patience);
  await drawer.getByText('hasn’t been confirmed yet.').waitFor(patience);
  await page.getByRole('status').filter({ hasText: adminMessages.approveApplication.done }).waitFor(patience);
  expect(await drawer.getByRole('button', { name: /^(Approve|Decline)/ }).count()).toBe(0);
  expect(await drawer.getByRole('combobox').evaluate(isFocused)).toBe(true);
  // Escape closes the list of statuses only.
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => drawer.getByRole('combobox').evaluate((list) => list.matches(':open'))).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => drawer.getByRole('combobox').evaluate((list) => list.matches(':open'))).toBe(false);
  expect(await drawer.isVisible()).toBe(true);
  await visitor.expectAccessible();
  const activate = drawer.getByRole('button', { name: 'Activate Kit Elmsworth' });
  await activate.click();
  const question = page.getByRole('dialog', { name: 'Activate Kit Elmsworth' });
  await question.getByText('Nobody has confirmed kit@juniper.example.').waitFor(patience);
  await visitor.expectAccessible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await app.sql`select status from providers`).toEqual([{ status: 'f' }]);

  const [provider] = await app.db.select().from(providers);
  if (provider === undefined) throw new Error('there is no provider');
  const token = signAddress(app.services.config.secretKeys, provider, app.services.now());
  expect((await pressLink(app, confirmAddressPath(token))).status).toBe(303);
  await page.reload();
  await drawer.getByText('was confirmed').waitFor(patience);
  await activate.click();
  await drawer.getByText('It gets leads and is on the map.').waitFor(patience);
  await page.keyboard.press('Control+z');
  await drawer.getByText('It is inactive').waitFor(patience);
  expect(await app.sql`select status from providers`).toEqual([{ status: 'f' }]);

  await drawer.getByRole('link', { name: 'Edit: NPI' }).click();
  await page.locator('#provider-settings').getByLabel('NPI').waitFor(patience);
});

test('Undo takes an approval back with its provider, and a decline with its message', async () => {
  await using app = await browserApp();
  const id = await apply(app);
  await using visitor = await visitAdmin(app, { path: `${path}&application=${id}` });
  const { page } = visitor;
  const drawer = page.getByRole('dialog', { name: 'Juniper Street', exact: true });
  const approve = drawer.getByRole('button', { name: 'Approve Juniper Street' });
  await approve.click(patience);
  await drawer.getByText('hasn’t been confirmed yet.').waitFor(patience);
  await page.keyboard.press('Control+z');
  await approve.waitFor(patience);
  expect(await app.sql`select 1 from providers`).toHaveLength(0);
  await drawer.getByRole('button', { name: 'Decline Juniper Street' }).click();
  await drawer.getByText('The answer is being sent').waitFor(patience);
  await page.keyboard.press('Control+z');
  await expect.poll(() => drawer.getByText('The answer is being sent').count(), patience).toBe(0);
  expect(await app.sql`select status from provider_applications`).toEqual([{ status: 'new' }]);
  expect(await app.sql`select 1 from application_messages where kind in ('confirm', 'decline')`).toHaveLength(
    0,
  );
});

test('a viewer reads an application and decides nothing', async () => {
  await using app = await browserApp();
  const id = await apply(app);
  await using visitor = await visitAdmin(app, { path: `${path}&application=${id}`, role: 'viewer' });
  const drawer = visitor.page.getByRole('dialog', { name: 'Juniper Street' });
  await drawer.getByText('Kit Elmsworth').waitFor(patience);
  expect(await drawer.getByRole('button', { name: /Approve|Decline/ }).count()).toBe(0);
  expect(await drawer.getByRole('combobox').count()).toBe(0);
});
