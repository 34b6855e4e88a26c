import { expect, test } from 'vitest';
import { consentRecords, leads } from '#server/db/schema/index.ts';
import { getConsentText } from '#shared/brand/consentTexts.ts';
import { find } from '#shared/brand/find.ts';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { messages } from '#shared/brand/messages.ts';
import { matchPreviewTexts } from '#shared/brand/matchPreview.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import { leadMessages } from '#shared/brand/leadMessages.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider, leadDetails } from '#test/support/factories.ts';
import { fillLeadForm, leadForm } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';
import { enterZip, matchLine, toast } from '#test/support/stepForm.ts';
import { reachCeiling } from '#test/support/reachCeiling.ts';

const copy = stepForms.find;
const consentText = getConsentText('find')?.text;

test('the finder asks for the ZIP first and sends its own consent text', async () => {
  meets(`
    P3.lead.09 P4.state.10 P4.state.11 P4.state.15 P5.valid.23 D.leads.35 D.leads.62 D.routes.03
    D.conformity.35 P2.find.02 P2.find.04 P2.find.06 P2.find.14
  `);
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { practiceName: 'Found Practice', zipCode: '80202' });
  await app.knows(provider);
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/find');
  await page.getByRole('heading', { name: find.title }).waitFor();
  await page.getByRole('heading', { name: copy.zip.heading }).waitFor();
  await enterZip(page, '80202', 'find');
  await page.getByRole('heading', { name: copy.details.heading }).waitFor();
  await matchLine(page, `${matchPreviewTexts.found('80202')} Found Practice`);
  expect(await page.getByRole('button', { name: stepForms.quiz.details.back ?? '' }).count()).toBe(0);
  await visitor.expectAccessible();
  await fillLeadForm(page, leadDetails());
  const busySeen = Promise.withResolvers<void>();
  await page.route('**/trpc/leads.create*', async (route) => {
    await busySeen.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: copy.submit }).click();
  await page.getByRole('button', { name: copy.submitting, exact: true }).waitFor();
  busySeen.resolve();
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  const [lead] = await app.db.select().from(leads);
  expect(lead).toMatchObject({ zipCode: '80202', acceptanceMessage: consentText, quarantinedAt: null });
  const [evidence] = await app.db.select().from(consentRecords);
  expect(evidence).toMatchObject({
    formKey: 'find',
    textShown: consentText,
    textKnown: true,
    sellerProviderId: provider.id,
  });
});

test.each([740, 640])(
  'the finder’s first step is in the first screen of a phone of %i px',
  async (height) => {
    await using app = await browserApp();
    await using visitor = await visit(app, { width: 360, touch: true });
    const { page } = visitor;
    await page.setViewportSize({ width: 360, height });
    await page.goto('/find');
    const next = await page.getByRole('button', { name: copy.zip.next }).boundingBox();
    expect((next?.y ?? Infinity) + (next?.height ?? 0)).toBeLessThanOrEqual(height);
  },
);

test('without scripts, Enter in the ZIP field leads to the next field', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app, { javaScript: false, expectedConsole: /status of 422/ });
  const { page } = visitor;
  await page.goto('/find');
  await page.locator('[name=zip_code]').fill('80205');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/api\/leads$/, patience);
  await page.locator('[name=first_name]:focus').waitFor(patience);
  expect(await page.locator('[name=zip_code]').inputValue()).toBe('80205');
});

test('without scripts the finder doesn’t promise to name a provider first', async () => {
  await using app = await browserApp();
  for (const javaScript of [true, false]) {
    await using visitor = await visit(app, { javaScript });
    await visitor.page.goto('/find');
    expect(await visitor.page.getByText(find.next[0]).isVisible()).toBe(javaScript);
    expect(await visitor.page.getByText(find.next[1]).isVisible()).toBe(true);
  }
});

test('an empty ZIP gets a toast; a text that is none is accepted, without a promise', async () => {
  meets('P4.state.09 P5.valid.15 P5.valid.16 P5.valid.17 P8.error.43 D.leads.30 P2.find.15');
  await using app = await browserApp();
  await insertProvider(app.db, { zipCode: '80202' });
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/find');
  await enterZip(page, '', 'find');
  await toast(page, copy.zipToast.title, copy.zipToast.description);
  await enterZip(page, 'K1A', 'find');
  await matchLine(page, matchPreviewTexts.unplaced('K1A'));
  for (const promise of [matchPreviewTexts.none('K1A'), matchPreviewTexts.reminder('K1A')])
    expect(await page.getByText(promise).count()).toBe(0);
  expect(await page.getByRole('button', { name: matchPreviewTexts.change('K1A') }).isVisible()).toBe(true);
  await fillLeadForm(page, leadDetails());
  await page.getByRole('button', { name: copy.submit }).click();
  await page.waitForURL('**/success?noProvider=true');
  const [evidence] = await app.db.select().from(consentRecords);
  expect(evidence).toMatchObject({ sellerProviderId: null, sellerName: null });
});

test('an unchecked box sends nothing; a failure shows the server’s message', async () => {
  meets(`
    P5.valid.10 P5.valid.18 P5.valid.19 P8.error.07 P8.error.08 P8.error.09 P8.error.43
    D.errors.22 D.copy.23 D.conformity.01
  `);
  await using app = await browserApp({ env: { RATE_LIMIT_LEADS: '1/1h' } });
  await using visitor = await visit(app, { expectedConsole: /429|500/ });
  const { page } = visitor;
  await page.goto('/find');
  await enterZip(page, '80202', 'find');
  const typed = leadDetails();
  await fillLeadForm(page, typed, { consent: false });
  await page.getByRole('button', { name: copy.submit }).click();
  await toast(page, copy.consentToast?.title ?? '', leadMessages.consentRequired);
  expect(await app.db.$count(leads)).toBe(0);
  await leadForm(page).getByRole('checkbox').check();
  await page.route('**/trpc/leads.create*', (route) => route.fulfill({ status: 500, body: '' }), {
    times: 1,
  });
  await page.getByRole('button', { name: copy.submit }).click();
  await toast(page, copy.failureTitle, copy.failure);
  await page.getByRole('button', { name: leadFormTexts.tryAgain }).click();
  await page.waitForURL('**/success?noProvider=true');
  await reachCeiling(app);
  await page.goto('/find');
  await enterZip(page, '80202', 'find');
  await fillLeadForm(page, leadDetails());
  await page.getByRole('button', { name: copy.submit }).click();
  await toast(page, copy.failureTitle, messages.tooMany.submissions);
  expect(await app.db.$count(leads)).toBe(1);
});

test('a preview that fails to load neither blocks nor moves the form', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app, { width: 360, expectedConsole: /429/ });
  const { page } = visitor;
  const asked = Promise.withResolvers<void>();
  await page.route('**/trpc/matching.preview*', async (route) => {
    await asked.promise;
    await route.fulfill({ status: 429, body: '{}' });
  });
  await page.goto('/find');
  await enterZip(page, '80202', 'find');
  const consent = leadForm(page).getByRole('checkbox');
  await page.getByText(matchPreviewTexts.asking('80202')).waitFor();
  const before = await consent.boundingBox();
  asked.resolve();
  await matchLine(page, matchPreviewTexts.unknown('80202'));
  expect(await consent.boundingBox()).toEqual(before);
  expect(await page.getByRole('alert').count()).toBe(0);
  await fillLeadForm(page, leadDetails());
  await page.getByRole('button', { name: copy.submit }).click();
  await page.waitForURL('**/success*');
});

test('browser back returns to the ZIP, forward to the details, with the typed values', async () => {
  meets('P4.state.12 D.conformity.34');
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/find');
  await enterZip(page, '80202', 'find');
  const typed = leadDetails();
  await fillLeadForm(page, typed, { consent: false });
  const [zip, email] = [page.locator('[name=zip_code]'), page.locator('[name=email]')];
  await page.goBack();
  await zip.waitFor();
  expect([await zip.inputValue(), await email.isVisible()]).toEqual(['80202', false]);
  await page.goForward();
  await email.waitFor();
  expect(await email.inputValue()).toBe(typed.email);
});

test('the details have a button that returns to the ZIP, to correct it', async () => {
  meets('P4.state.45');
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/find');
  await enterZip(page, '80202', 'find');
  await page.locator('[name=email]').waitFor();
  await page.getByRole('button', { name: matchPreviewTexts.change('80202') }).click();
  const zip = page.locator('[name=zip_code]');
  await zip.waitFor();
  expect(await zip.inputValue()).toBe('80202');
});

test('?providerId= requests a provider, which is named and matched', async () => {
  meets('P7.call.23');
  await using app = await browserApp();
  await insertProvider(app.db, { practiceName: 'Nearest Practice', zipCode: '80202' });
  const asked = await insertProvider(app.db, { practiceName: 'Asked Practice', zipCode: '80301' });
  await app.knows(asked);
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto(`/find?providerId=${asked.id}`);
  await enterZip(page, '80202', 'find');
  await matchLine(page, `${matchPreviewTexts.found('80202')} Asked Practice`);
  await fillLeadForm(page, leadDetails());
  await page.getByRole('button', { name: copy.submit }).click();
  await page.waitForURL(`**/success?providerId=${asked.id}`);
  const [lead] = await app.db.select().from(leads);
  expect(lead).toMatchObject({ providerId: asked.id, matchMethod: 'requested' });
});

test.each([
  ['its zone is certain', 'America/Phoenix', '5:00 AM Arizona'],
  ['it may be in two zones', null, null],
])('beside the consent the provider’s time is named only if known: %s', async (_, timeZone, clock) => {
  await using app = await browserApp({ now: () => new Date('2026-06-01T12:00:00Z') });
  await app.knows(await insertProvider(app.db, { zipCode: '86004', timeZone }));
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/find');
  await enterZip(page, '86004', 'find');
  const line = page.getByText(leadFormTexts.caller({ clock, opening: null }), { exact: true });
  await expect.poll(() => line.count(), patience).toBe(1);
});
