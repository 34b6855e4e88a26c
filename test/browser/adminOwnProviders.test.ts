import { describe, expect, test } from 'vitest';
import { uploadCopy } from '#client/admin/providers/sync/copy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';

const path = '/admin?tab=providers';

describe('a provider by hand', () => {
  test('is added with messages at its fields, then activated and edited', async () => {
    await using app = await browserApp();
    await using visitor = await visitAdmin(app, { path, expectedConsole: /status of 422/ });
    const { page } = visitor;
    await page.getByRole('button', { name: 'Add provider' }).press('Enter', patience);
    const form = page.getByRole('dialog', { name: 'Add provider' });
    await form.getByLabel('Name', { exact: true }).fill('Kit Elmsworth');
    await form.getByLabel('ZIP code').fill('1234');
    await form.getByLabel('Domain').fill('not a host');
    await form.getByRole('button', { name: 'Add provider' }).click();
    await form.getByText('Its email address is missing.').waitFor(patience);
    expect(await form.getByText('“1234” isn’t a five-digit US ZIP code.').count()).toBe(1);
    expect(await app.sql`select 1 from providers`).toHaveLength(0);
    await visitor.expectAccessible();
    await form.getByLabel('ZIP code').fill('80202');
    await form.getByLabel('Domain').fill('');
    await form.getByLabel('Email address').fill('kit@juniper.example');
    await form.getByLabel('Offers a free consultation').check();
    await form.getByRole('button', { name: 'Add provider' }).click();
    const details = page.locator('#provider-details');
    await details.getByText('It is inactive').waitFor(patience);
    await expect.poll(() => new URL(page.url()).searchParams.get('form')).toBe('details');
    await expect.poll(() => details.evaluate((part) => part === document.activeElement)).toBe(true);
    await details.getByRole('button', { name: 'Activate Kit Elmsworth' }).click();
    await details.getByText('It gets leads and is on the map.').waitFor(patience);
    const phone = details.getByLabel('Phone number');
    await phone.fill('(303) 555-0142');
    await visitor.expectAccessible();
    await details.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').filter({ hasText: 'Provider saved' }).waitFor(patience);
    expect(
      await app.sql`select status, phone, accepts_free_consultation, wordpress_id from providers`,
    ).toEqual([
      { status: 't', phone: '(303) 555-0142', accepts_free_consultation: true, wordpress_id: null },
    ]);
    await page.keyboard.press('Control+z');
    await expect.poll(() => phone.inputValue(), patience).toBe('');
    expect(await app.sql`select phone from providers`).toEqual([{ phone: null }]);
  });

  test('of the sync says who owns its fields, and has no form', async () => {
    await using app = await browserApp({ env: { WORDPRESS_URL: 'https://wp.example' } });
    const { id } = await insertProvider(app.db, { name: 'Middle Clinic', wordpressId: 71 });
    await using visitor = await visitAdmin(app, { path: `${path}&provider=${id}&form=details` });
    const { page } = visitor;
    const details = page.locator('#provider-details');
    await details.getByText('The provider sync owns these fields (WordPress ID 71)').waitFor(patience);
    expect(await details.getByRole('link', { name: 'Edit in WordPress' }).getAttribute('href')).toContain(
      'post=71',
    );
    expect(await details.getByRole('textbox').count()).toBe(0);
    await visitor.expectAccessible();
  });
});

describe('the upload of a CSV file', () => {
  const csv = (text: string) => ({ name: 'clinics.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

  test('previews, imports, and names line and column of what it skips', async () => {
    await using app = await browserApp();
    await using visitor = await visitAdmin(app, { path });
    const { page } = visitor;
    await page.getByRole('button', { name: uploadCopy.open }).click(patience);
    const dialog = page.getByRole('dialog', { name: uploadCopy.title });
    const template = await dialog.getByRole('link', { name: uploadCopy.template }).getAttribute('href');
    expect(decodeURIComponent(template ?? '')).toMatch(
      /^data:text\/csv;charset=utf-8,\ufeffwordpress_id,name,.*zip_code.*\r\n$/,
    );
    const file = dialog.getByLabel(uploadCopy.file);
    const header = 'wordpress_id,name,email,zip_code';
    await file.setInputFiles(csv(`${header}\n12,Amber Quay,amber@example.com,80202\n14,Broken,none,80202\n`));
    await dialog.getByText('1 would be new').waitFor(patience);
    await dialog.getByText('Line 3: Its email address isn’t valid.').waitFor(patience);
    expect(await app.sql`select 1 from providers`).toHaveLength(0);
    await visitor.expectAccessible();
    await dialog.getByRole('button', { name: uploadCopy.start, exact: true }).click();
    await dialog.getByText('1 new').waitFor(patience);
    expect(await app.sql`select wordpress_id, name from providers`).toEqual([
      { wordpress_id: '12', name: 'Amber Quay' },
    ]);
    expect(await dialog.evaluate((sheet) => sheet.contains(document.activeElement))).toBe(true);
    await file.setInputFiles(csv('wordpress_id,Fone\n12,303\n'));
    await dialog.getByText('The file has columns with unknown names: “Fone”.').waitFor(patience);
    expect(await dialog.getByRole('button', { name: uploadCopy.start, exact: true }).count()).toBe(0);
  });

  test('is stopped by the guard, until staff ignore it', async () => {
    await using app = await browserApp();
    for (const wordpressId of [1, 2, 3]) await insertProvider(app.db, { wordpressId });
    await using visitor = await visitAdmin(app, { path: `${path}&form=upload` });
    const { page } = visitor;
    const dialog = page.getByRole('dialog', { name: uploadCopy.title });
    await dialog.getByLabel(uploadCopy.file).setInputFiles(csv('wordpress_id,status\n1,closed\n2,closed\n'));
    await dialog.getByText('It would deactivate 2 of 3 providers').waitFor(patience);
    await dialog.getByRole('button', { name: uploadCopy.start, exact: true }).click();
    const force = dialog.getByRole('button', { name: uploadCopy.force });
    await force.waitFor(patience);
    expect(await app.sql`select 1 from providers where status = 't'`).toHaveLength(3);
    await visitor.expectAccessible();
    await force.click();
    await dialog.getByText('2 deactivated').waitFor(patience);
    expect(await app.sql`select 1 from providers where status = 't'`).toHaveLength(1);
  });
});
