import { describe, expect, test } from 'vitest';
import { storeUnreachable } from '#server/features/mail/unreachableAddresses.ts';
import { markAddress } from '#server/features/unreachable/addressMarks.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { leadDetailCopy } from '#shared/admin/leadDetailCopy.ts';
import { messages } from '#shared/brand/messages.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertDeliveryAttempts, insertLead } from '#test/support/leadRows.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { answers, startReceiver } from '#test/support/receiver.ts';
import { addFilter, isFocused, openView, row, rows, sendLead } from '#test/support/leadList.ts';
import { meets } from '#test/support/meets.ts';

describe('a lead’s drawer', () => {
  test('opens from the list with its history, and Esc returns the focus to the link', async () => {
    meets('D.leads.61 D.admin.55 D.admin.56 D.admin.57');
    await using app = await browserApp();
    await insertProvider(app.db, { name: 'Alpine Clinic', zipCode: '80202' });
    const id = await sendLead(app, { first_name: 'Ann', last_name: 'Reader', zip_code: '80202' });
    await insertDeliveryAttempts(app.db, [
      { leadId: id, outcome: 'failed', status: 'HTTP 500', durationMs: 5003 },
    ]);
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    const link = page.getByRole('link', { name: 'Open Ann Reader' });
    await link.focus();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Ann Reader' });
    await drawer.getByRole('heading', { name: 'Consent' }).waitFor(patience);
    await expect.poll(() => new URL(page.url()).searchParams.get('lead')).toBe(String(id));
    await drawer.getByText(leadDetailCopy.evidence).click();
    const shown = (await drawer.innerText()).replaceAll(/\s+/g, ' ');
    for (const text of [
      'I agree to be contacted about the treatment.',
      'Matched by distance',
      'Nearest active provider, 0.0 miles from the center of 80202.',
      'Distance 0.0 miles',
      'Agreed to be contacted by Visitor',
      'Matching by System',
      'Delivery failed by System',
      'CRM: HTTP 500, 5003 ms',
    ])
      expect(shown).toContain(text);
    await visitor.expectAccessible();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached', ...patience });
    const leadInUrl = (): string | null => new URL(page.url()).searchParams.get('lead');
    await expect.poll(leadInUrl, patience).toBeNull();
    await expect.poll(() => link.evaluate(isFocused), patience).toBe(true);
  });

  test('shows toasts inside, where they can be dismissed; they stay after it closes', async () => {
    await using receiver = await startReceiver(answers(400));
    await using app = await browserApp({ env: crmEnvironment(receiver) });
    const id = await sendLead(app);
    await using visitor = await visitAdmin(app, { path: `/admin?lead=${id}` });
    const { page } = visitor;
    const drawer = page.getByRole('dialog');
    const alert = drawer.getByRole('alert');
    const retry = drawer.getByRole('button', { name: 'Retry CRM Sync' });
    await retry.click(patience);
    await alert.waitFor(patience);
    // It is on top: the element at its center is the toast.
    expect(
      await alert.evaluate((toasted) => {
        const { x, y, width, height } = toasted.getBoundingClientRect();
        return toasted.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      }),
    ).toBe(true);
    await visitor.expectAccessible();
    await alert.getByRole('button', { name: messages.dismiss }).click();
    await alert.waitFor({ state: 'detached', ...patience });
    expect(await drawer.isVisible()).toBe(true);
    await retry.click();
    await alert.getByRole('button', { name: messages.dismiss }).focus();
    // It is shown for seconds only: the wait for it begins before the drawer closes.
    const moved = page.locator('body > * > * > [role=alert]');
    const isMoved = moved.waitFor(patience);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached', ...patience });
    await isMoved;
    // Its timer continues although it keeps the focus.
    await moved.waitFor({ state: 'detached', ...patience });
  });

  test('restores a deleted lead, which only its filter lists, with the time of deletion', async () => {
    await using app = await browserApp();
    const id = await sendLead(app, { first_name: 'Ann', last_name: 'Gone' });
    await sendLead(app);
    await app.sql`update leads set deleted_at = now() where id = ${id}`;
    await using visitor = await visitAdmin(app);
    const { page } = visitor;
    await rows(page).first().waitFor(patience);
    expect(await row(page, id).count()).toBe(0);
    await addFilter(page, 'Deleted', 'Only deleted');
    await row(page, id).waitFor(patience);
    await expect.poll(() => new URL(page.url()).searchParams.get('deleted')).toBe('true');
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    expect(await row(page, id).getByRole('button').allInnerTexts()).toEqual(['Restore']);
    await page.getByRole('link', { name: 'Open Ann Gone' }).click();
    const drawer = page.getByRole('dialog', { name: 'Ann Gone' });
    const deleted = drawer.getByText('This lead was deleted on');
    await deleted.waitFor(patience);
    expect(await deleted.getAttribute('title')).toMatch(/ UTC\)$/);
    expect(await drawer.getByRole('button', { name: 'Retry CRM Sync' }).count()).toBe(0);
    await visitor.expectAccessible();
    await drawer.getByRole('button', { name: 'Restore' }).click();
    await drawer.getByRole('button', { name: 'Retry CRM Sync' }).waitFor(patience);
    await expect.poll(() => drawer.getByText('This lead was deleted on').count(), patience).toBe(0);
    await expect.poll(() => rows(page).count(), patience).toBe(0);
  });

  test('Escape in its provider picker closes the picker and leaves the drawer open', async () => {
    await using app = await browserApp();
    const id = await sendLead(app, { zip_code: '99501' });
    await insertProvider(app.db, { name: 'Near Clinic', zipCode: '98101' });
    await using visitor = await visitAdmin(app, { path: `/admin?lead=${id}` });
    const { page } = visitor;
    const button = page.getByRole('dialog').getByRole('button', { name: 'Match with provider...' });
    await button.click(patience);
    const picker = page.getByRole('dialog', { name: 'Select Provider' });
    await picker.getByRole('option', { name: /^Near Clinic/ }).waitFor(patience);
    await page.keyboard.type('near');
    await page.keyboard.press('Escape');
    await picker.waitFor({ state: 'hidden', ...patience });
    await expect.poll(() => button.evaluate(isFocused)).toBe(true);
  });

  test('lists the nearest ten providers, then all, and its picker marks the current one', async () => {
    await using app = await browserApp();
    const own = await insertProvider(app.db, { name: 'Own Clinic', zipCode: '80202' });
    for (let count = 0; count < 11; count += 1) await insertProvider(app.db, { zipCode: '80203' });
    const id = await sendLead(app, { zip_code: '80202' });
    await using visitor = await visitAdmin(app, { path: `/admin?lead=${id}` });
    const { page } = visitor;
    const drawer = page.getByRole('dialog').first();
    await drawer.getByText('Nearest providers').click(patience);
    const listed = drawer.locator('details li');
    expect(await listed.count()).toBe(10);
    expect(await listed.first().getAttribute('aria-current')).toBe('true');
    await drawer.getByRole('button', { name: 'Show all 12' }).click();
    await expect.poll(() => listed.count(), patience).toBe(12);
    await drawer.getByRole('button', { name: 'Change provider' }).click();
    const picker = page.getByRole('dialog', { name: 'Select Provider' });
    await picker.getByRole('option', { name: `${own.name} - 80202 Current` }).waitFor(patience);
    expect(await picker.getByText('Current').count()).toBe(1);
  });

  test('says that providers are sorted by name if the ZIP can’t be located', async () => {
    await using app = await browserApp();
    const id = await sendLead(app, { zip_code: '00000' });
    await insertProvider(app.db, { name: 'Near Clinic', zipCode: '98101' });
    await using visitor = await visitAdmin(app, { path: `/admin?lead=${id}` });
    const { page } = visitor;
    const drawer = page.getByRole('dialog').first();
    await drawer.getByRole('button', { name: 'Match with provider...' }).click(patience);
    const picker = page.getByRole('dialog', { name: 'Select Provider' });
    await picker.getByText('This ZIP code can’t be located. Sorted by name.').waitFor(patience);
    expect(await picker.getByRole('option').allInnerTexts()).toEqual(['Near Clinic - 98101']);
    // The first line says nothing about the distance, so that Enter doesn’t pick it.
    expect(await picker.getByRole('option', { selected: true }).count()).toBe(0);
  });

  test('opens by its URL, and says if the lead does not exist', async () => {
    meets('D.admin.55');
    await using app = await browserApp();
    await using visitor = await visitAdmin(app, {
      path: '/admin?lead=999',
      expectedConsole: /404/,
    });
    const { page } = visitor;
    const drawer = page.getByRole('dialog', { name: 'Lead #999' });
    await expect.poll(() => drawer.getByRole('alert').innerText(), patience).toMatch(/^Error\n+\S/);
    await drawer.getByRole('button', { name: messages.close }).click();
    await drawer.waitFor({ state: 'detached', ...patience });
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });
});

/** Whether it contains the focus. */
const hasFocus = (element: Element): boolean =>
  element !== document.activeElement && element.contains(document.activeElement);

test('a release keeps the focus in the drawer although its button disappears', async () => {
  await using app = await browserApp();
  const id = await sendLead(app);
  await app.sql`update leads set quarantined_at = now(), quarantine_reason = 'honeypot'`;
  await using visitor = await visitAdmin(app, { path: `/admin?lead=${id}` });
  const drawer = visitor.page.getByRole('dialog');
  const release = drawer.getByRole('button', { name: 'Release' });
  await release.focus(patience);
  await visitor.page.keyboard.press('Enter');
  await release.waitFor({ state: 'detached', ...patience });
  await expect.poll(() => drawer.evaluate(hasFocus), patience).toBe(true);
});

test('contact with a person is stopped once confirmed, and the drawer then says so', async () => {
  await using app = await browserApp();
  const id = await sendLead(app, { first_name: 'Ann', last_name: 'Reader' });
  await using visitor = await visitAdmin(app, { path: `/admin?lead=${id}` });
  const { page } = visitor;
  const drawer = page.getByRole('dialog', { name: 'Ann Reader', exact: true });
  await drawer.getByRole('button', { name: 'Do not contact' }).click(patience);
  const question = page.getByRole('dialog', { name: 'Do not contact Ann Reader?' });
  await question.waitFor(patience);
  await visitor.expectAccessible();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'hidden', ...patience });
  expect(await app.sql`select 1 from suppressions`).toHaveLength(0);
  await drawer.getByRole('button', { name: 'Do not contact' }).click();
  await question.getByRole('button', { name: 'Do not contact' }).focus();
  await page.keyboard.press('Enter');
  await drawer.getByRole('region', { name: 'Do not contact' }).waitFor(patience);
  await drawer.getByText('Consent withdrawn').waitFor(patience);
  await drawer.getByText('This person must not be contacted.').waitFor(patience);
  await expect.poll(() => drawer.getByRole('button', { name: 'Do not contact' }).count(), patience).toBe(0);
  await expect.poll(() => drawer.evaluate(hasFocus), patience).toBe(true);
  expect(await app.sql`select 1 from suppressions where reason = 'do-not-contact'`).toHaveLength(2);
  await visitor.expectAccessible();
});

test('the drawer marks a lead and a provider whose email bounced', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { email: 'front@quay.example' });
  const lead = await insertLead(app.db, { providerId: provider.id });
  const { key: identityKey } = await app.services.dataKeys.current('identity');
  const entry = { cause: 'bounce', now: new Date() } as const;
  await storeUnreachable(app.db, { address: lead.email, identityKey, ...entry });
  await using visitor = await visitAdmin(app, { path: `/admin?lead=${lead.id}` });
  const badges = visitor.page.getByRole('dialog').getByText(leadCopy.unreachable.bounce, { exact: true });
  await expect.poll(() => badges.count(), patience).toBe(1);
  await visitor.expectAccessible();
  await markAddress(app.db, { address: provider.email, code: '5.1.1', reason: 'No such user.', ...entry });
  await visitor.page.reload();
  await expect.poll(() => badges.count(), patience).toBe(2);
  await visitor.page.keyboard.press('Escape');
  await row(visitor.page, lead.id).getByText(leadCopy.unreachable.bounce, { exact: true }).waitFor(patience);
});

test('staff review a shared phone from the worklist; an owner lifts the stop by keys', async () => {
  meets('D.abuse.18');
  await using app = await browserApp();
  const phone = '(303) 555-0191';
  const id = await sendLead(app, { first_name: 'Vera', last_name: 'Reader', phone });
  await sendLead(app);
  await app.sql`insert into staff_tasks (kind, lead_id) values ('phone-withdrawn', ${id})`;
  await using visitor = await visitAdmin(app, { role: 'owner', expectedConsole: /status of 422/ });
  const { page } = visitor;
  await openView(page, 'Phone to review 1', true);
  await expect.poll(() => rows(page).count(), patience).toBe(1);
  await page.getByRole('button', { name: 'Remove filter: Phone to review' }).waitFor(patience);
  await page.getByRole('link', { name: 'Open Vera Reader' }).click();
  const drawer = page.getByRole('dialog', { name: 'Vera Reader', exact: true });
  const task = drawer.getByRole('region', { name: 'Phone to review' });
  await task.waitFor(patience);
  await visitor.expectAccessible();
  await task.getByRole('button', { name: 'Stop contact by phone' }).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Stop contact by phone?' });
  await question.getByRole('button', { name: 'Stop contact by phone' }).click(patience);
  const panel = drawer.getByRole('region', { name: 'Do not contact', exact: true });
  await panel.getByText('Marked by staff').waitFor(patience);
  await panel.getByText('Not listed').waitFor(patience);
  expect(await panel.getByText(/^Since /).getAttribute('title')).toMatch(/ UTC\)$/);
  await expect.poll(() => task.count(), patience).toBe(0);
  await drawer.getByText('Reviewed', { exact: true }).waitFor(patience);
  await visitor.expectAccessible();

  expect(await panel.getByRole('button').count()).toBe(1);
  await panel.getByRole('button', { name: 'Lift: Phone' }).focus();
  await page.keyboard.press('Enter');
  const lift = page.getByRole('dialog', { name: 'Lift “Do not contact” for this phone number?' });
  const reason = lift.getByLabel('Reason');
  await reason.fill('ok', patience);
  await page.keyboard.press('Enter');
  await lift.getByText('Say why, in at least 3 characters').waitFor(patience);
  await visitor.expectAccessible();
  await reason.fill('They asked to be called again.');
  await page.keyboard.press('Enter');
  await panel.waitFor({ state: 'detached', ...patience });
  await drawer.getByText('Phone: They asked to be called again.').waitFor(patience);
  await expect.poll(() => drawer.evaluate(hasFocus), patience).toBe(true);
  expect(await app.sql`select 1 from suppressions`).toHaveLength(0);
});
