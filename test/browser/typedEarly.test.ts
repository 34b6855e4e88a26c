import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page, Request } from 'playwright';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { leadForm } from '#test/support/fillLeadForm.ts';
import { testPassword, testPasswordHash } from '#test/support/staff.ts';
import { translatePage } from '#test/support/translatePage.ts';
import { heroZip, matchLine, start } from '#test/support/stepForm.ts';
import type { TestApp } from '#test/support/testApp.ts';

let app: TestApp;
beforeAll(async () => {
  app = await browserApp();
  await insertProvider(app.db, { id: 1, practiceName: 'Near Practice', zipCode: '80202' });
});
afterAll(() => app[Symbol.asyncDispose]());

const entryCode = '**/assets/entryClient-*.js';

/** A page may have another form, such as the question about an area. */
const ownForm = 'form:is([data-lead-form], [data-application-form])';

/** Opens a page whose script arrives when `release` is called. */
async function openHeld(page: Page, path: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(entryCode, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  await page
    .locator('form [type=submit]')
    .first()
    .waitFor({ state: 'attached', ...patience });
  return release;
}

/** The controls' values, and whether each box is checked. */
async function entered(page: Page): Promise<Record<string, string>> {
  const controls = await page
    .locator(ownForm)
    .locator('input:not([type=hidden], [aria-hidden] *), textarea')
    .evaluateAll((found) =>
      found.map((control) => {
        if (control instanceof HTMLInputElement && control.type === 'checkbox')
          return [control.name, String(control.checked)] as const;
        const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
        return [control.getAttribute('name') ?? '', isText ? control.value : ''] as const;
      }),
    );
  return Object.fromEntries(controls);
}

/** What other software does to a page that isn't live yet. */
const changes = {
  translation: translatePage,
  'password manager': (page: Page) =>
    page.locator('[name=email]').evaluate((input) => {
      const icon = document.createElement('div');
      icon.dataset['lastpassIconRoot'] = '';
      input.before(icon);
    }),
};

/** Waits until React has replaced the form by another element, and the page is live. */
async function replaced(page: Page): Promise<void> {
  await page.locator('html[data-live]:not([data-waiting])').waitFor({ state: 'attached', ...patience });
  await page
    .locator('form:is([data-lead-form], [data-application-form]):not([data-served])')
    .waitFor({ state: 'attached', ...patience });
}

const lead = {
  ...{ zip_code: '80202', first_name: 'Ada', last_name: 'Quill', email: 'ada@example.com' },
  phone: '3035550142',
};
const application = {
  ...{ practice_name: 'Quill Clinic', contact_name: 'Ada Quill', role: 'Owner', email: 'ada@example.com' },
  ...{ website: 'quill.example', message: 'Two\nlines', zip_code: '80202', phone: '3035550142' },
};

test.each([
  ['translation', '/', lead],
  ['translation', '/start', lead],
  ['translation', '/clinics', application],
  ['password manager', '/', lead],
  ['password manager', '/?providerId=1', lead],
] as const)('a %s before the script: %s keeps values, focus and caret', async (software, path, values) => {
  await using visitor = await visit(app, { expectedConsole: /A part of the page was replaced/ });
  const { page } = visitor;
  const release = await openHeld(page, path);
  const last = path === '/start' ? 'zip_code' : 'phone';
  for (const [field, value] of Object.entries(values))
    // As software fills it in: in hidden steps too, and without an event.
    await page
      .locator(`[name=${field}]`)
      .evaluate((input, text) => Object.assign(input, { value: text }), field === last ? '' : value);
  if (path !== '/start') await page.getByRole('checkbox').check();
  await page.locator(`[name=${last}]`).pressSequentially(last === 'phone' ? '303555014' : '8020');
  await page.keyboard.press('ArrowLeft');
  await page.locator(ownForm).evaluate((form) => form.setAttribute('data-served', ''));
  await changes[software](page);
  release();
  await replaced(page);
  // The box is the person's to tick.
  expect(await entered(page)).toMatchObject({ acceptance_consent: 'false' });
  await page.keyboard.type('2');
  const typed = last === 'phone' ? '3035550124' : '80220';
  await expect.poll(() => entered(page), patience).toMatchObject({ ...values, [last]: typed });
  if (path === '/') await matchLine(page, /Near Practice/);
});

test('what was typed before the script survives leaving the page and coming back', async () => {
  await using visitor = await visit(app, { expectedConsole: /A part of the page was replaced/ });
  const { page } = visitor;
  const release = await openHeld(page, '/');
  await page.locator('[name=email]').fill(lead.email);
  await page.goto('/privacy', { waitUntil: 'commit' });
  // Scripts are held, so the page never loads. Its text shows that it is the active one.
  await page.getByRole('heading', { level: 1 }).waitFor(patience);
  await page.goBack({ waitUntil: 'commit' });
  await expect.poll(() => page.locator('[name=email]').inputValue(), patience).toBe(lead.email);
  await page.locator(ownForm).evaluate((form) => form.setAttribute('data-served', ''));
  await translatePage(page);
  release();
  await replaced(page);
  expect(await page.locator('[name=email]').inputValue()).toBe(lead.email);
});

test('a box unticked after a failed post isn’t ticked again when the form is replaced', async () => {
  await using visitor = await visit(app, { expectedConsole: /A part of the page was replaced|422/ });
  const { page } = visitor;
  const release = await openHeld(page, '/');
  await page.locator(ownForm).evaluate((form: HTMLFormElement) => (form.noValidate = true));
  await page.locator('[name=first_name]').fill('Adda');
  await page.getByRole('checkbox').check();
  await page.locator(`${ownForm} [type=submit]`).click();
  await page.locator('[name=email][aria-invalid=true]').waitFor(patience);
  expect(await entered(page)).toMatchObject({ first_name: 'Adda', acceptance_consent: 'true' });
  await page.getByRole('checkbox').uncheck();
  await page.locator('[name=first_name]').fill('Ada');
  await page.locator(ownForm).evaluate((form) => form.setAttribute('data-served', ''));
  await translatePage(page);
  release();
  await replaced(page);
  expect(await entered(page)).toMatchObject({ first_name: 'Ada', acceptance_consent: 'false' });
});

test('a part hydrated later keeps what was typed though its HTML was changed', async () => {
  await using visitor = await visit(app, { expectedConsole: /A part of the page was replaced/ });
  const { page } = visitor;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/assets/LandingRest-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await page.locator('html[data-live][data-waiting]').waitFor({ state: 'attached', ...patience });
  await page.locator('[name=first_name]').pressSequentially('Ada');
  await page.locator(ownForm).evaluate((form) => form.setAttribute('data-served', ''));
  await changes['password manager'](page);
  release();
  await replaced(page);
  await page.keyboard.type('h');
  expect(await page.locator('[name=first_name]').inputValue()).toBe('Adah');
});

test.each([
  ['signs in', testPassword, 'Signed in as Staff (owner)'],
  ['reports the fault', 'wrong', 'Invalid password'],
])('a sign-in sent with Enter before the page is live %s once it is', async (_, password, answer) => {
  await using staffed = await browserApp({ env: { ADMIN_PASSWORD_HASH: testPasswordHash } });
  await using visitor = await visit(staffed, { expectedConsole: /status of 401/ });
  const { page } = visitor;
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method()));
  const release = await openHeld(page, '/admin');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  // Nothing is sent before, and nothing that was typed is in the address.
  expect(sent.filter((method) => method !== 'GET')).toEqual([]);
  release();
  await page.getByText(answer, { exact: true }).waitFor(patience);
  expect(new URL(page.url()).search).toBe('');
});

test('Enter in the form’s own ZIP goes on to the first name, without messages', async () => {
  await using visitor = await visit(app, { width: 360 });
  const { page } = visitor;
  await page.goto('/');
  const own = leadForm(page).locator('[name=zip_code]');
  await own.fill('80202');
  // The named provider shows that the page is live.
  await matchLine(page, 'Near Practice');
  await own.press('Enter');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
  await expect.poll(focused, patience).toBe('first_name');
  expect(await leadForm(page).locator('[aria-invalid=true]').count()).toBe(0);
});

test('the ZIP entered last stays, however late the answer about an earlier one is', async () => {
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/');
  const zipOfLead = leadForm(page).locator('[name=zip_code]');
  // Nobody answers about the first ZIP.
  const isAsked = (zip: string) => (request: Request) => request.postData()?.includes(zip) === true;
  await page.route('**/trpc/**', (route, request) =>
    isAsked('80202')(request) ? undefined : route.fallback(),
  );
  await page.clock.install();
  await heroZip(page).fill('80202');
  await Promise.all([page.waitForRequest(isAsked('80202'), patience), start(page)]);
  await heroZip(page).fill('33131');
  await start(page);
  await expect.poll(() => new URL(page.url()).hash, patience).toBe('#provider-form');
  await page.clock.runFor(5_000);
  expect(await zipOfLead.inputValue()).toBe('33131');
  // Nor does it replace what the visitor types into the form in the meantime.
  await heroZip(page).fill('80202');
  await start(page);
  await zipOfLead.fill('10016');
  await page.clock.runFor(5_000);
  expect(await zipOfLead.inputValue()).toBe('10016');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
