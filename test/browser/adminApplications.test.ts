import { expect, test } from 'vitest';
import { paths } from '#shared/pages/paths.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { browserApp, patience } from '#test/support/browser.ts';

const path = '/admin?tab=applications';

test('an application is listed with its contact; its status is changed and filtered', async () => {
  await using app = await browserApp();
  const input = applicationInput({ practice_name: 'Juniper Street', contact_name: 'Kit Elmsworth' });
  expect((await app.post('/api/provider-applications', input)).status).toBe(201);
  await using visitor = await visitAdmin(app, { path });
  const { page } = visitor;
  const row = page.getByRole('row').filter({ hasText: 'Juniper Street' });
  await row.waitFor(patience);
  expect(await row.innerText()).toContain('Kit Elmsworth');
  await visitor.expectAccessible();
  const status = row.getByRole('combobox', { name: 'Status of Juniper Street' });
  await status.selectOption('Accepted');
  await page.getByRole('status').filter({ hasText: 'Application updated' }).waitFor(patience);
  const filter = page.getByRole('combobox', { name: 'Status', exact: true });
  await filter.selectOption('New');
  await page.getByText('No applications have this status.').waitFor(patience);
  await filter.selectOption('Accepted');
  await row.waitFor(patience);
  expect(await status.inputValue()).toBe('accepted');
});

test('keys move in the list of statuses, Enter saves once, and Undo takes it back', async () => {
  await using app = await browserApp();
  const input = applicationInput({ practice_name: 'Juniper Street' });
  expect((await app.post('/api/provider-applications', input)).status).toBe(201);
  await using visitor = await visitAdmin(app, { path });
  const { page } = visitor;
  const status = page.getByRole('combobox', { name: 'Status of Juniper Street' });
  await status.focus(patience);
  const saved = () => app.sql`select detail from audit_log where action = 'application.status' order by id`;
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await visitor.expectAccessible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('d');
  await page.keyboard.press('Escape');
  expect([await status.inputValue(), await saved()]).toEqual(['new', []]);
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.getByRole('status').filter({ hasText: 'Application updated' }).waitFor(patience);
  expect(await status.inputValue()).toBe('contacted');
  await page.keyboard.press('Control+z');
  await expect.poll(() => status.inputValue(), patience).toBe('new');
  expect(await saved()).toEqual([{ detail: { status: 'contacted' } }, { detail: { status: 'new' } }]);
});

test('a long message takes three lines until its button shows all of it', async () => {
  await using app = await browserApp();
  const message = 'We have three rooms, and two physicians who trained in June. '.repeat(12).trim();
  const input = applicationInput({ practice_name: 'Juniper Street', message });
  expect((await app.post('/api/provider-applications', input)).status).toBe(201);
  await using visitor = await visitAdmin(app, { path });
  const { page } = visitor;
  const row = page.getByRole('row').filter({ hasText: 'Juniper Street' });
  const height = async () => (await row.boundingBox())?.height ?? 0;
  const button = (what: string) =>
    page.getByRole('button', { name: `${what} of the message from Juniper Street`, exact: true });
  await button('Show all').waitFor(patience);
  const cut = await height();
  expect(cut).toBeLessThan(150);
  await visitor.expectAccessible();
  await button('Show all').focus();
  await page.keyboard.press('Enter');
  await button('Show less').waitFor(patience);
  expect(await height()).toBeGreaterThan(cut + 100);
  await page.keyboard.press('Enter');
  await expect.poll(height, patience).toBe(cut);
});

test('on a tablet, an application’s phone, address and status are not cut or broken', async () => {
  await using app = await browserApp();
  const input = applicationInput({ email: 'kit@juniper.example', phone: '303 555 0199' });
  expect((await app.post('/api/provider-applications', input)).status).toBe(201);
  await using visitor = await visitAdmin(app, { path, width: 768 });
  const { page } = visitor;
  for (const link of ['mailto:', 'tel:']) {
    const lines = page.locator(`td a[href^="${link}"]`);
    await lines.waitFor(patience);
    expect(await lines.evaluate((element) => element.getClientRects().length)).toBe(1);
    expect((await lines.boundingBox())?.height).toBeLessThan(35);
  }
  const select = page.getByRole('combobox', { name: /^Status of/ });
  expect((await select.boundingBox())?.width).toBeGreaterThan(100);
});

test('on a tablet, a long email address breaks before its @, and no column is cut', async () => {
  await using app = await browserApp();
  const email = 'practice.manager.west@clinic.example.com';
  const input = applicationInput({ email, website: 'clinic.example.com' });
  expect((await app.post('/api/provider-applications', input)).status).toBe(201);
  await app.sql`update provider_applications set created_at = now() - interval '99 hours'`;
  await using visitor = await visitAdmin(app, { path, width: 768 });
  const link = visitor.page.locator('td a[href^="mailto:"]');
  await link.waitFor(patience);
  const lines = await link.evaluate((element) =>
    [...element.childNodes]
      .filter((node) => node instanceof Text)
      .map((node) => {
        const range = document.createRange();
        range.selectNode(node);
        return [node.data, range.getClientRects().length];
      }),
  );
  expect(lines).toEqual([
    ['practice.manager.west', 1],
    ['@clinic.example.com', 1],
  ]);
  const frame = visitor.page.locator('[data-table-frame]');
  await visitor.page.getByText('Overdue since').waitFor(patience);
  expect(await frame.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
});

test('the list says until when to answer, what is overdue, and what the receipt did', async () => {
  await using app = await browserApp();
  const apply = (practice: string) =>
    app.post('/api/provider-applications', applicationInput({ practice_name: practice }));
  await apply('Juniper Street');
  await apply('Larch Avenue');
  await app.sql`update provider_applications set created_at = now() - interval '43 hours' where practice_name = 'Juniper Street'`;
  await app.sql`update provider_applications set created_at = now() - interval '99 hours' where practice_name = 'Larch Avenue'`;
  await using visitor = await visitAdmin(app, { path, width: 360 });
  const { page } = visitor;
  const row = (practice: string) => page.getByRole('row').filter({ hasText: practice });
  await row('Juniper Street').getByText('Due in 5\u00a0h').waitFor(patience);
  await row('Larch Avenue').getByText('Overdue since').waitFor(patience);
  await row('Larch Avenue').getByText('No receipt: It was sent without a form token').waitFor(patience);
  await visitor.expectAccessible();
  await row('Larch Avenue').getByRole('combobox').selectOption('Contacted');
  await expect.poll(() => row('Larch Avenue').getByText('Overdue since').count(), patience).toBe(0);
});

test('an application above the limit has its own badge and is not marked quarantined', async () => {
  await using app = await browserApp();
  await app.post('/api/provider-applications', applicationInput({ practice_name: 'Juniper Street' }));
  await app.sql`update provider_applications set quarantined_at = now(), quarantine_reason = 'over-limit'`;
  await using visitor = await visitAdmin(app, { path });
  const row = visitor.page.getByRole('row').filter({ hasText: 'Juniper Street' });
  await row.getByText('Over limit').waitFor(patience);
  expect(await row.getByText('Quarantined').count()).toBe(0);
  await row.getByRole('button', { name: 'Release Juniper Street from quarantine' }).click();
  await row.getByText('Due in').waitFor(patience);
  await expect.poll(() => row.getByText('Over limit').count(), patience).toBe(0);
});

test('status and page are in the URL; Back and a reload show the same list', async () => {
  await using app = await browserApp();
  await app.post('/api/provider-applications', applicationInput({ practice_name: 'Juniper Street' }));
  await app.sql`
    insert into provider_applications (practice_name, contact_name, role, email, phone, phone_e164, zip_code, consent_text, host, idempotency_key, status)
    select 'Practice ' || n, contact_name, role, email, phone, phone_e164, zip_code, consent_text, host, 'key-' || n, 'declined'
    from provider_applications, generate_series(1, 41) n`;
  await using visitor = await visitAdmin(app, { path: `${path}&status=failed` });
  const { page } = visitor;
  const query = () => new URL(page.url()).searchParams.toString();
  const filter = page.getByRole('combobox', { name: 'Status', exact: true });
  await page.getByText('Total: 42 applications').waitFor(patience);
  await filter.selectOption('Declined');
  await page.getByText('Total: 41 applications').waitFor(patience);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect
    .poll(query, patience)
    .toBe('tab=applications&status=failed&applicationStatus=declined&applicationPage=2');
  await page.reload();
  await page.getByText('Page 2 of 2').waitFor(patience);
  expect(await filter.inputValue()).toBe('declined');
  await page.goBack();
  await page.getByText('Page 1 of 2').waitFor(patience);
  await page.goBack();
  await page.getByText('Total: 42 applications').waitFor(patience);
  expect([await filter.inputValue(), query()]).toEqual(['', 'tab=applications&status=failed']);
  await page.goto(`${path}&applicationPage=9`);
  await page.getByText('This page is empty now').waitFor(patience);
});

test('an empty list links to the page that applications come from', async () => {
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, { path });
  const { page } = visitor;
  await page.getByRole('link', { name: 'Open the provider page' }).click(patience);
  await expect.poll(() => new URL(page.url()).pathname, patience).toBe(paths.recruitment);
});

test('a viewer sees the status and cannot change it', async () => {
  await using app = await browserApp();
  await app.post('/api/provider-applications', applicationInput({ practice_name: 'Juniper Street' }));
  await using visitor = await visitAdmin(app, { path, role: 'viewer' });
  const row = visitor.page.getByRole('row').filter({ hasText: 'Juniper Street' });
  await row.waitFor(patience);
  expect(await row.innerText()).toContain('New');
  expect(await row.getByRole('combobox').count()).toBe(0);
});
