import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { leads, type ProviderRow } from '#server/db/schema/index.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { isFocused, keepToast, getName, row, sendLead, toast } from '#test/support/leadList.ts';
import type { TestApp } from '#test/support/testApp.ts';

/** A lead from the provider's own site, whose consent names the provider. Staff have since taken it from the provider. */
async function leadNaming(app: TestApp, provider: ProviderRow): Promise<number> {
  const answer = await app
    .as(provider)
    .post('/api/leads', leadInput({ form: 'microsite', token: formToken('microsite') }));
  const { id }: { id: number } = Object(answer.json());
  await app.db.update(leads).set({ providerId: null, matchMethod: 'none' });
  return id;
}

async function setUp(app: TestApp) {
  const named = await insertProvider(app.db, { name: 'Named Clinic', practiceName: 'Named Practice' });
  const other = await insertProvider(app.db, { name: 'Other Clinic' });
  await app.knows(named);
  return { other, lead: await leadNaming(app, named) };
}

const assigned = async ({ sql }: TestApp): Promise<(number | null)[]> =>
  (await sql<{ at: number | null }[]>`select provider_id::int as at from leads order by id`).map(
    ({ at }) => at,
  );

async function pickOther(page: Page): Promise<void> {
  const options = page.getByRole('dialog', { name: 'Select Provider' }).getByRole('option');
  await options.first().waitFor(patience);
  await page.keyboard.type('other');
  await expect
    .poll(() => options.allInnerTexts(), patience)
    .toEqual([expect.stringMatching(/^Other Clinic/)]);
  await expect.poll(() => options.first().getAttribute('aria-selected'), patience).toBe('true');
  await page.keyboard.press('Enter');
}

/** Two leads are selected, so the list of providers has no distances. */
const confirmDistance = (page: Page) =>
  page
    .getByRole('dialog', { name: 'Assign 2 leads to Other Clinic?' })
    .getByRole('button', { name: 'Assign 2 leads' })
    .click(patience);

const question = (page: Page) => page.getByRole('dialog', { name: 'Reassign this lead?' });
const sentence = 'The consent of this lead names Named Practice.';

test('a row asks before its lead goes to a provider that the consent does not name', async () => {
  await using app = await browserApp();
  const { other, lead } = await setUp(app);
  await using visitor = await visitAdmin(app, { expectedConsole: /status of 409/ });
  const { page } = visitor;
  const picker = row(page, lead).getByRole('button', { name: 'Match with provider...' });
  await picker.focus(patience);
  await page.keyboard.press('Enter');
  await pickOther(page);
  await question(page).getByText(sentence).waitFor(patience);
  await visitor.expectAccessible();
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  await question(page).waitFor({ state: 'hidden', ...patience });
  expect(await assigned(app)).toEqual([null]);
  await expect.poll(() => picker.evaluate(isFocused), patience).toBe(true);
  await page.keyboard.press('Enter');
  await pickOther(page);
  await question(page).getByRole('button', { name: 'Reassign anyway' }).click(patience);
  await toast(page, 'Lead provider updated successfully').waitFor(patience);
  await row(page, lead).getByText('Other Clinic').waitFor(patience);
  expect(await assigned(app)).toEqual([other.id]);
});

test('the drawer asks too, and Escape answers no', async () => {
  await using app = await browserApp();
  const { other, lead } = await setUp(app);
  await using visitor = await visitAdmin(app, {
    path: `/admin?lead=${lead}`,
    expectedConsole: /status of 409/,
  });
  const { page } = visitor;
  const drawer = page.getByRole('dialog').first();
  const picker = drawer.getByRole('button', { name: 'Match with provider...' });
  await picker.click(patience);
  await pickOther(page);
  await question(page).getByText(sentence).waitFor(patience);
  await page.keyboard.press('Escape');
  await question(page).waitFor({ state: 'hidden', ...patience });
  expect(await assigned(app)).toEqual([null]);
  await picker.click();
  await pickOther(page);
  await question(page).getByRole('button', { name: 'Reassign anyway' }).click(patience);
  await toast(page, 'Lead provider updated successfully').waitFor(patience);
  expect(await assigned(app)).toEqual([other.id]);
});

test('of several leads, those with another name in the consent wait for the answer', async () => {
  await using app = await browserApp();
  const { other } = await setUp(app);
  await sendLead(app, { zip_code: '99501' });
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check(patience);
  await page.getByRole('button', { name: 'Assign provider' }).click();
  await pickOther(page);
  await confirmDistance(page);
  await toast(page, '1 lead assigned').waitFor(patience);
  await question(page).getByText('The consent of 1 lead names Named Practice.').waitFor(patience);
  await visitor.expectAccessible();
  await expect.poll(() => assigned(app), patience).toEqual([null, other.id]);
  await question(page).getByRole('button', { name: 'Reassign anyway' }).click();
  await expect.poll(() => assigned(app), patience).toEqual([other.id, other.id]);
});

const messages = ({ sql }: TestApp) =>
  sql`select 1 from deliveries where channel = 'provider-email' and state = 'queued'`;

test('Undo takes back an assignment in a row, of several leads and in the drawer', async () => {
  await using app = await browserApp();
  const other = await insertProvider(app.db, { name: 'Other Clinic', zipCode: '10016' });
  const lead = await sendLead(app, { zip_code: '99501' });
  await app.sql`update leads set created_at = created_at - interval '1 minute'`;
  const second = await sendLead(app, { zip_code: '99501', email: 'second@mail.example' });
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  const undone = async (text: string): Promise<void> => {
    await toast(page, text).waitFor(patience);
    expect(await assigned(app)).toEqual([null, null]);
    expect(await messages(app)).toHaveLength(0);
  };
  const picker = row(page, lead).getByRole('button', { name: 'Match with provider...' });
  await picker.click(patience);
  await pickOther(page);
  await toast(page, 'Lead provider updated successfully').waitFor(patience);
  await row(page, lead).getByText('Other Clinic').waitFor(patience);
  expect(await assigned(app)).toEqual([other.id, null]);
  await visitor.expectAccessible();
  await page.keyboard.press('Control+z');
  await undone('Assignment undone');
  await picker.waitFor(patience);
  await expect.poll(() => getName(page, lead).evaluate(isFocused), patience).toBe(true);
  // Several, with the pointer.
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check(patience);
  await page.getByRole('button', { name: 'Assign provider' }).click();
  await pickOther(page);
  await confirmDistance(page);
  await toast(page, '2 leads assigned').getByRole('button', { name: 'Undo' }).click(patience);
  await undone('2 assignments undone');
  // In the drawer, by the keyboard.
  await getName(page, second).click();
  const drawer = page.getByRole('dialog').first();
  await drawer.getByRole('button', { name: 'Match with provider...' }).click(patience);
  await pickOther(page);
  await drawer.getByRole('button', { name: 'Change provider' }).waitFor(patience);
  await toast(page, 'Lead provider updated successfully').waitFor(patience);
  await page.keyboard.press('F6');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), patience).toBe('Undo');
  await page.keyboard.press('Enter');
  await undone('Assignment undone');
  await drawer.getByText('Assignment undone by').last().waitFor(patience);
});

test('Undo of an assignment that has left says so and changes nothing', async () => {
  await using app = await browserApp();
  const other = await insertProvider(app.db, { name: 'Other Clinic', zipCode: '10016' });
  const lead = await sendLead(app, { zip_code: '99501' });
  await using visitor = await visitAdmin(app, { expectedConsole: /status of 409/ });
  const { page } = visitor;
  await row(page, lead).getByRole('button', { name: 'Match with provider...' }).click(patience);
  await pickOther(page);
  await keepToast(page, 'Lead provider updated successfully');
  await app.sql`update deliveries set attempts = 1 where channel = 'provider-email'`;
  await toast(page, 'Lead provider').getByRole('button', { name: 'Undo' }).click(patience);
  await page.getByRole('alert').filter({ hasText: 'Already sent' }).waitFor(patience);
  expect(await assigned(app)).toEqual([other.id]);
});

test('Enter picks the first match, and nothing while the matches load', async () => {
  await using app = await browserApp();
  const { other, lead } = await setUp(app);
  await using visitor = await visitAdmin(app, { expectedConsole: /status of 409/ });
  const { page } = visitor;
  const released = Promise.withResolvers<void>();
  const requested = Promise.withResolvers<void>();
  await page.route('**/trpc/admin.leads.candidates*', async (route) => {
    if (route.request().postData()?.includes('other') === true) {
      requested.resolve();
      await released.promise;
    }
    await route.continue();
  });
  await row(page, lead).getByRole('button', { name: 'Match with provider...' }).click(patience);
  const options = page.getByRole('dialog', { name: 'Select Provider' }).getByRole('option');
  await expect.poll(() => options.count(), patience).toBe(2);
  await page.keyboard.type('other');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await requested.promise;
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await options.count()).toBe(2);
  released.resolve();
  await expect
    .poll(() => options.allInnerTexts(), patience)
    .toEqual([expect.stringMatching(/^Other Clinic/)]);
  await expect.poll(() => options.first().getAttribute('aria-selected'), patience).toBe('true');
  expect(await question(page).count()).toBe(0);
  await page.keyboard.press('Enter');
  await question(page).getByRole('button', { name: 'Reassign anyway' }).click(patience);
  await row(page, lead).getByText('Other Clinic').waitFor(patience);
  expect(await assigned(app)).toEqual([other.id]);
});

test('several leads go each to its nearest, or to one after a look at the miles', async () => {
  await using app = await browserApp();
  const at = async (name: string, zipCode: string) => insertProvider(app.db, { name, zipCode });
  const [denver, billings] = [await at('Denver Clinic', '80202'), await at('Billings Clinic', '59101')];
  const near = await sendLead(app, { zip_code: '80205' });
  // Fort Benton is outside every radius.
  const far = await sendLead(app, { zip_code: '59430', email: 'far@mail.example' });
  await app.sql`update leads set provider_id = null, match_method = 'none'`;
  await using visitor = await visitAdmin(app);
  const { page } = visitor;
  const select = async (): Promise<void> => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check(patience);
    await page.getByRole('button', { name: 'Assign provider' }).click();
  };
  const options = page.getByRole('dialog', { name: 'Select Provider' }).getByRole('option');
  await select();
  await expect
    .poll(() => options.allInnerTexts(), patience)
    .toEqual([
      expect.stringMatching(/^Assign each to its nearest\s+[\d.]+ to 1\d\d miles$/),
      expect.stringMatching(/ Clinic - \d{5}$/),
      expect.stringMatching(/ Clinic - \d{5}$/),
    ]);
  await visitor.expectAccessible();
  await page.keyboard.press('Enter');
  const nearest = page.getByRole('dialog', { name: 'Assign 2 leads to the nearest providers?' });
  await nearest.getByText(/^[\d.]+ to 1\d\d miles\. 1 is outside the 100-mile radius\.$/).waitFor(patience);
  await visitor.expectAccessible();
  await page.keyboard.press('Escape');
  await nearest.waitFor({ state: 'hidden', ...patience });
  expect(await assigned(app)).toEqual([null, null]);
  await page.getByRole('button', { name: 'Assign provider' }).click();
  await options.first().click(patience);
  await nearest.getByRole('button', { name: 'Assign 2 leads' }).click(patience);
  await row(page, near).getByText('Denver Clinic').waitFor(patience);
  await row(page, far).getByText('Billings Clinic').waitFor(patience);
  expect(await assigned(app)).toEqual([denver.id, billings.id]);

  await select();
  await options.getByText('Denver Clinic').click(patience);
  const one = page.getByRole('dialog', { name: 'Assign 2 leads to Denver Clinic?' });
  await one.getByText(/^[\d.]+ to \d{3} miles\. 1 is outside the 100-mile radius\.$/).waitFor(patience);
  await one.getByRole('button', { name: 'Cancel' }).click();
  await one.waitFor({ state: 'hidden', ...patience });
  expect(await assigned(app)).toEqual([denver.id, billings.id]);
});
