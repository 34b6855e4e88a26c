import { expect, test } from 'vitest';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { patience, useBrowser } from '#test/support/browser.ts';
import { testApp } from '#test/support/testApp.ts';

useBrowser();

const path = '/admin?tab=applications';

test('an application is listed with whom to contact, and its status is set and filtered by', async () => {
  await using app = await testApp();
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
  await page.getByText('No application has this status.').waitFor(patience);
  await filter.selectOption('Accepted');
  await row.waitFor(patience);
  expect(await status.inputValue()).toBe('accepted');
});

test('who may only look sees the status and can’t set it', async () => {
  await using app = await testApp();
  await app.post('/api/provider-applications', applicationInput({ practice_name: 'Juniper Street' }));
  await using visitor = await visitAdmin(app, { path, role: 'viewer' });
  const row = visitor.page.getByRole('row').filter({ hasText: 'Juniper Street' });
  await row.waitFor(patience);
  expect(await row.innerText()).toContain('New');
  expect(await row.getByRole('combobox').count()).toBe(0);
});
