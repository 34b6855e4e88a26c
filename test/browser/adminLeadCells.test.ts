import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import type { DeliveryInsert } from '#server/db/schema/index.ts';
import { flagFailedDeliveries } from '#server/features/outbox/leadStatus.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { toHue } from '#test/support/readColor.ts';
import { row, rows, sendLead } from '#test/support/leadList.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';

const listCalls = '**/trpc/*admin.leads.list*';

/** Counts the requests for the list from now on. */
function listRequests(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().includes('admin.leads.list')) count += 1;
  });
  return () => count;
}

test('the contact has email and phone; the CRM status is green, red or yellow', async () => {
  meets('P2.admin.12 P2.admin.31 P2.admin.32 P2.admin.33');
  await using app = await browserApp();
  const [done, failed, pending, unset] = await insertLeads(app.db, [
    { crmSyncStatus: 'success', email: 'ann@mail.example', phone: '(303) 555-0142' },
    { crmSyncStatus: 'failed' },
    { crmSyncStatus: 'pending' },
    { crmSyncStatus: null },
  ]);
  if (!done || !failed || !pending || !unset) throw new Error('the leads were not stored');
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  const text = await row(page, done.id).locator('[data-cell=contact]').innerText(patience);
  for (const part of ['ann@mail.example', '(303) 555-0142']) expect(text).toContain(part);
  const badge = (id: number, name: string): Locator => row(page, id).getByText(name, { exact: true });
  const hues = [
    await toHue(badge(done.id, 'success')),
    await toHue(badge(failed.id, 'failed')),
    await toHue(badge(pending.id, 'Pending')),
    await toHue(badge(unset.id, 'Pending')),
  ];
  expect(hues).toEqual(['green', 'red', 'yellow', 'yellow']);
});

test('a lead that its clinic didn’t get says so and why below the provider', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { name: 'Gable End' });
  const has = { providerId: provider.id, crmSyncStatus: 'success' } as const;
  const [refused, held, unsent, retrying, sent] = await insertLeads(app.db, [has, has, has, has, has]);
  if (!refused || !held || !unsent || !retrying || !sent) throw new Error('the leads were not stored');
  const reason = 'The mail server refused the address.';
  const soon = new Date(Date.now() + 3_600_000);
  const email = { channel: 'provider-email', providerId: provider.id, reason } as const;
  const rowsByLead: Record<number, Partial<DeliveryInsert>> = {
    [refused.id]: { state: 'failed' },
    [held.id]: { state: 'held', holdCause: 'later', nextAttemptAt: soon },
    [unsent.id]: { state: 'held', reason: 'Email is not configured.' },
    [retrying.id]: { state: 'queued', nextAttemptAt: soon },
    [sent.id]: { state: 'delivered', reason: null },
  };
  for (const [id, values] of Object.entries(rowsByLead))
    await insertDelivery(app, { leadId: Number(id), ...email, ...values });
  await flagFailedDeliveries(app.db, [refused.id, held.id, unsent.id, retrying.id, sent.id]);
  for (const width of [1280, 360]) {
    await using visitor = await visitAdmin(app, { width });
    const { page } = visitor;
    // On a phone, they are below the name.
    const cell = (id: number): Locator =>
      row(page, id).locator(`[data-cell=${width === 360 ? 'contact' : 'provider'}]`);
    await expect.poll(() => cell(refused.id).innerText(), patience).toContain('Clinic not reached');
    for (const { id } of [refused, held]) {
      expect(await toHue(cell(id).getByText('Clinic not reached'))).toBe('red');
      expect(await cell(id).innerText()).toContain(reason);
    }
    expect(await cell(held.id).innerText()).toMatch(/Next attempt in /);
    expect(await cell(unsent.id).innerText()).toMatch(/Not sent\s+Email is not configured\./);
    expect(await cell(retrying.id).innerText()).toMatch(/Not delivered yet[^]*Next attempt in /);
    expect(await cell(sent.id).innerText()).toMatch(/Gable End$/);
    await row(page, refused.id)
      .getByRole('button', { name: /^More for / })
      .click();
    await page.getByRole('menuitem', { name: 'Resend to provider' }).waitFor(patience);
    await visitor.expectAccessible();
    await page.keyboard.press('Escape');
    const toLead = row(page, refused.id).getByRole('button', { name: 'Resend Email', exact: true });
    expect(await toLead.getAttribute('title')).toMatch(/to the lead/);
    // The CRM's status is another one.
    expect(await row(page, refused.id).getByText('success', { exact: true }).count()).toBe(1);
    await visitor.expectAccessible();
  }
});

test('a date is like Jan 5, 2024, in the viewer’s time zone, with UTC in the tooltip', async () => {
  meets('P2.admin.14 P2.admin.16 D.conformity.41 D.conformity.43');
  await using app = await browserApp();
  const [lead] = await insertLeads(app.db, [{ createdAt: new Date('2024-01-06T03:00:00Z') }]);
  await using visitor = await visitAdmin(app);
  const { page, context } = visitor;
  const devtools = await context.newCDPSession(page);
  for (const [timezoneId, date] of [
    ['America/Denver', 'Jan 5, 2024'],
    ['Asia/Tokyo', 'Jan 6, 2024'],
  ] as const) {
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId });
    await page.reload();
    const cell = row(page, lead?.id ?? 0).locator('[data-cell=date] time');
    await expect.poll(() => cell.innerText(), patience).toMatch(new RegExp(`^${date}\\b`));
    expect(await cell.getAttribute('title')).toMatch(/Jan 6, 2024, 03:00:00 UTC/);
  }
});

test('a total that is a minimum ends in a plus, and stays when counting gives up', async () => {
  meets('D.conformity.07');
  await using app = await browserApp();
  await sendLead(app);
  await using visitor = await visitAdmin(app, { path: '/admin?tab=applications' });
  const { page } = visitor;
  const totals = { list: 123_456, total: 0 };
  for (const [procedure, total] of Object.entries(totals))
    await page.route(`**/trpc/*admin.leads.${procedure}*`, async (route) => {
      const response = await route.fetch();
      const text = (await response.text())
        .replace(/"total":\d+/, `"total":${total}`)
        .replace('"totalIsEstimate":false', '"totalIsEstimate":true');
      await route.fulfill({ response, body: text });
    });
  const counted = page.waitForResponse(/admin\.leads\.total/);
  await page.goto('/admin');
  await counted;
  await page.getByText('Total: 123,456+ leads', { exact: true }).waitFor(patience);
  await page.getByRole('tab', { name: 'Leads (123,456+)', exact: true }).waitFor(patience);
  expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(false);
});

test('the alert of a list that fails to load shows the server’s sentence', async () => {
  meets('P2.admin.19');
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, {
    path: '/admin?tab=applications',
    expectedConsole: /Failed to load resource/,
  });
  const { page } = visitor;
  const problem = { message: 'x', code: -32603, data: { httpStatus: 503, error: 'The list is resting.' } };
  await page.route(listCalls, (route) => route.fulfill({ status: 503, json: { error: problem } }));
  await page.goto('/admin');
  await expect
    .poll(() => page.getByRole('alert').innerText(), patience)
    .toMatch(/^Error\n+The list is resting\./);
});

test('the list is not requested again by focus, age or a change of tabs', async () => {
  meets('P7.call.46 P7.call.47');
  await using app = await browserApp();
  await sendLead(app);
  await using visitor = await visitAdmin(app, { path: '/admin?tab=applications' });
  const { page } = visitor;
  await page.clock.install();
  await page.goto('/admin');
  await rows(page).first().waitFor(patience);
  await visitor.settled();
  const count = listRequests(page);
  await page.clock.fastForward('01:00:00');
  await page.evaluate(() => {
    for (const type of ['visibilitychange', 'focus', 'online']) window.dispatchEvent(new Event(type));
  });
  await page.getByRole('tab', { name: 'Applications' }).click();
  await page.getByRole('tab', { name: /^Leads/ }).click();
  await rows(page).first().waitFor(patience);
  await visitor.settled();
  expect(count()).toBe(0);
  // The counter works.
  await page.getByRole('searchbox', { name: 'Search leads' }).fill('nobodyatall');
  await page.clock.fastForward(5_000);
  await expect.poll(count, patience).toBeGreaterThan(0);
});
