import { expect, test } from 'vitest';
import { matchPreviewTexts } from '#shared/brand/matchPreview.ts';
import { chrome } from '#shared/brand/chrome.ts';
import { openingTexts } from '#shared/formats/openingTexts.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import { success } from '#shared/brand/success.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider, leadDetails } from '#test/support/factories.ts';
import { toHue } from '#test/support/readColor.ts';
import { fillLeadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { meets } from '#test/support/meets.ts';
import { enterZip, matchLine, sendQuiz } from '#test/support/stepForm.ts';

const calling = { practiceName: 'Calling Practice', phone: '(303) 555-0142', zipCode: '80202' };

test('the confirmation offers the call first, then its number to save, then the kit', async () => {
  meets('P2.success.11');
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { ...calling, address: '1 Sample Street, Denver, CO' });
  await app.knows(provider);
  await using visitor = await visit(app, { width: 360 });
  const { page } = visitor;
  await page.goto(`/success?providerId=${provider.id}`);
  const both = await app.get(`/success?providerId=${provider.id}&noProvider=true`);
  expect(both.text).toContain(success.noProvider.title);
  expect(both.text).not.toContain(success.cardTitle);
  await page.getByText(success.cardTitle).waitFor();
  const call = page.getByRole('link', { name: `${success.call} Calling Practice` });
  expect(await call.getAttribute('href')).toBe('tel:3035550142');
  // In view on a phone of 740 px, also with the line of the distance.
  const bottom = await call.evaluate((element) => element.getBoundingClientRect().bottom);
  expect(bottom).toBeLessThan(710);
  const now = page.getByRole('link', { name: success.callNow });
  expect(await now.getAttribute('href')).toBe('tel:3035550142');
  const kit = page.getByRole('link', { name: success.kit.action });
  const [callBox, kitBox] = [await call.boundingBox(), await kit.boundingBox()];
  expect(callBox?.y).toBeLessThan(kitBox?.y ?? 0);
  const background = (link: typeof call) =>
    link.evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await background(kit)).toBe('rgba(0, 0, 0, 0)');
  expect(await background(call)).not.toBe('rgba(0, 0, 0, 0)');
  await page.getByRole('heading', { name: success.nextTitle }).waitFor();
  await visitor.expectAccessible();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: success.callFrom.save }).click();
  expect((await download).suggestedFilename()).toBe('contact.vcf');
});

test('the contact card names the practice and nothing of the visitor or the treatment', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, {
    ...calling,
    address: '1 Sample Street, Denver, CO',
    website: 'practice.example',
  });
  await app.knows(provider);
  const card = await app.get(`/contacts/${provider.id}.vcf`);
  expect(card.headers['content-type']).toContain('text/vcard');
  expect(card.text.split('\r\n')).toEqual([
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:Calling Practice;;;;',
    'FN:Calling Practice',
    'ORG:Calling Practice',
    'TEL;TYPE=WORK,VOICE:3035550142',
    'ADR;TYPE=WORK:;;1 Sample Street\\, Denver\\, CO;;;80202;',
    'URL:https://practice.example/',
    'END:VCARD',
    '',
  ]);
  for (const path of ['/contacts/999999.vcf', '/contacts/x.vcf', '/contacts'])
    expect((await app.get(path)).status).toBe(404);
});

test('the confirmation says beside the call that the provider is closed', async () => {
  await using app = await browserApp({ now: () => new Date('2026-11-18T09:16:00Z') });
  const provider = await insertProvider(app.db, {
    ...calling,
    timeZone: 'America/Denver',
    hours:
      'Mon 09:00-17:00; Tue 09:00-17:00; Wed 09:00-17:00; Thu closed; Fri closed; Sat closed; Sun closed',
  });
  await app.knows(provider);
  await using visitor = await visit(app);
  const { page } = visitor;
  const closed = openingTexts.until({ isOpen: false, until: '9:00 AM' });
  await page.clock.setFixedTime('2026-11-18T09:16:00Z');
  await page.goto('/start');
  await enterZip(page, '80202', 'quiz');
  await matchLine(page, /./);
  await fillLeadForm(page, leadDetails());
  await page.getByRole('button', { name: stepForms.quiz.submit }).click();
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  const beside = page.getByRole('region', { name: success.cardTitle }).getByText(closed);
  await beside.waitFor(patience);
  await page.getByText(success.next[3]).waitFor();
  await page.getByRole('link', { name: chrome.footer.report }).waitFor();
  // As the server's page, too.
  await page.reload();
  await expect.poll(() => beside.count(), patience).toBe(1);
});

test('after a lead the confirmation says how far away the provider is', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, calling);
  await app.knows(provider);
  await using visitor = await visit(app);
  const { page } = visitor;
  const ahead = page.waitForRequest(/SuccessPage.*\.js/);
  await page.goto('/start');
  await enterZip(page, '80202', 'quiz');
  await matchLine(page, /./);
  // Its code is loaded while the form is filled in.
  await ahead;
  await fillLeadForm(page, leadDetails());
  await page.getByRole('button', { name: stepForms.quiz.submit }).click();
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  await page.getByText(matchPreviewTexts.distance(0)).waitFor();
  expect(await page.getByRole('link', { name: `${success.call} Calling Practice` }).count()).toBe(1);
  await page.getByRole('heading', { name: success.questions.title }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: success.called.action }).click();
  await page.getByText(success.called.done).waitFor();
  await visitor.expectAccessible();
  expect(await app.sql`select subject_id from audit_log where action = 'lead.called'`).toHaveLength(1);
});

test('the tab that sent a request can withdraw it, and says so after a reload', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, calling);
  await app.knows(provider);
  await using visitor = await visit(app, { width: 360 });
  const { page } = visitor;
  await sendQuiz(page, '80202');
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  const offer = page.getByText(success.withdraw.offer);
  await offer.click();
  await visitor.expectAccessible();
  const button = page.getByRole('button', { name: success.withdraw.action });
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await page.getByText(success.banner.sent).waitFor();
  await button.focus();
  await page.keyboard.press('Enter');
  const done = page.getByText(success.withdraw.done);
  await done.waitFor();
  await expect.poll(() => done.evaluate((status) => status === document.activeElement), patience).toBe(true);
  await page.getByText(success.banner.withdrawn, { exact: true }).waitFor();
  for (const promise of [success.banner.sent, success.lead, success.callFrom.before, success.nextTitle])
    expect(await page.getByText(promise).count()).toBe(0);
  await visitor.expectAccessible();
  expect(await app.sql`select 1 from consent_withdrawals where by = 'Visitor'`).toHaveLength(1);
  expect(await app.sql`select 1 from suppressions`).toHaveLength(0);
  // Nothing of it is in the address.
  expect(new URL(page.url()).search).toBe(`?providerId=${provider.id}`);
  await page.reload();
  await done.waitFor();
  await page.getByText(success.banner.withdrawn, { exact: true }).waitFor();
  expect(await offer.count()).toBe(0);
  // A page that sent nothing, with the same address, offers nothing.
  await using stranger = await visit(app);
  await stranger.page.goto(`/success?providerId=${provider.id}`);
  await stranger.page.getByRole('heading', { name: success.nextTitle }).waitFor();
  await stranger.settled();
  expect(await stranger.page.getByText(success.withdraw.offer).count()).toBe(0);
});

test('a request without a provider that was withdrawn promises no search', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await sendQuiz(page, '80202');
  await page.getByText(success.banner.searching).waitFor();
  await page.getByText(success.noProvider.closing).waitFor();
  await page.getByText(success.withdraw.offer).click();
  await page.getByRole('button', { name: success.withdraw.action }).click();
  await page.getByText(success.banner.withdrawn, { exact: true }).waitFor();
  for (const promise of [success.banner.searching, success.noProvider.nextTitle, success.noProvider.closing])
    expect(await page.getByText(promise).count()).toBe(0);
});

test('a skeleton is shown while the confirmation’s code loads', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  const loading = Promise.withResolvers<void>();
  await page.route(/SuccessPage.*\.js/, async (route) => {
    await loading.promise;
    await route.continue();
  });
  await sendQuiz(page, '80202');
  await page.waitForURL('**/success?noProvider=true');
  await page.getByRole('main').getByRole('status').waitFor({ state: 'attached' });
  expect(await page.getByText(success.noProvider.title).count()).toBe(0);
  loading.resolve();
  await page.getByText(success.noProvider.title).waitFor();
});

test('without a provider the confirmation names the nearest one, then offers the kit', async () => {
  await using app = await browserApp();
  const far = await insertProvider(app.db, { practiceName: 'Far Practice', zipCode: '80202' });
  await app.knows(far);
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto('/find');
  await enterZip(page, '99501', 'find');
  await matchLine(page, `${matchPreviewTexts.closest} Far Practice`);
  await fillLeadForm(page, leadDetails());
  await page.getByRole('button', { name: stepForms.find.submit }).click();
  await page.waitForURL('**/success?noProvider=true');
  await page.getByText(`${success.noProvider.closest} Far Practice`).waitFor();
  await page.getByText(success.kit.textWithoutProvider).waitFor();
  expect(await page.getByText(success.kit.text).count()).toBe(0);
  expect(await page.getByText(success.lead).count()).toBe(0);
  await page.reload();
  await page.getByText(`${success.noProvider.closest} Far Practice`).waitFor();
  await page.getByText(`${app.url}/clinics?from=visitor`).waitFor();
  await page.getByText(success.withdraw.offer).waitFor();
  await visitor.expectAccessible();
  // The far one takes a request with what was typed.
  await page.goto('/find');
  await enterZip(page, '99501', 'find');
  const typed = leadDetails();
  await fillLeadForm(page, typed);
  await page.getByRole('button', { name: stepForms.find.submit }).click();
  await page.getByRole('link', { name: success.noProvider.request }).click();
  await page.waitForURL(`**/?providerId=${far.id}#provider-form`);
  for (const [name, value] of Object.entries({ ...typed, zip_code: '99501' }))
    await expect.poll(() => page.locator(`[name=${name}]`).inputValue(), patience).toBe(value);
});

test('without a known provider the banner is neutral; a bare confirmation leads home', async () => {
  meets('P2.routes.27');
  await using app = await browserApp();
  const unknown = await app.get('/success?providerId=999999');
  for (const text of [success.banner.sent.replaceAll("'", '&#x27;'), success.lead, success.notAvailable])
    expect(unknown.text).toContain(text);
  for (const text of [success.nextTitle, success.callNow]) expect(unknown.text).not.toContain(text);
  const bare = await app.get('/success');
  expect([bare.status, bare.headers['location']]).toEqual([302, '/']);
  const linked = await app.get('/success', { referer: `${app.url}/start` });
  expect([linked.status, linked.text.includes(success.lead)]).toEqual([200, true]);
  expect(linked.text).not.toContain(success.callNow);
});

test('a bare confirmation on a provider’s host is neutral until its tab sent a lead', async () => {
  await using app = await browserApp();
  const provider = await insertProvider(app.db, { ...calling, domain: 'calling.localhost' });
  await app.knows(provider);
  await using visitor = await visit(app, { host: 'calling.localhost' });
  const { page } = visitor;
  const first = await app.as(provider).get('/success');
  const ifSent = `${success.ifSent} We`;
  expect(first.text).toContain(ifSent);
  expect(first.text).toContain(`${success.ifSent} ${success.lead}`);
  await page.goto('/success');
  await page.getByText(success.cardTitle).waitFor();
  const promises = [success.nextTitle, success.callFrom.save];
  for (const text of promises) expect(await page.getByText(text).count()).toBe(0);
  const banner = page.getByText(success.banner.sent).locator('..');
  expect(await toHue(banner, 'background-color')).not.toBe('green');
  // Its address may come from anybody.
  await page.goto(`/success?providerId=${provider.id}`);
  await page.getByText(success.ifNotSent).waitFor();
  expect(await toHue(banner, 'background-color')).not.toBe('green');
  await page.goto('/');
  await fillLeadForm(page, { ...leadDetails(), zip_code: '80202' });
  await submitButton(page).click();
  await page.waitForURL(`**/success?providerId=${provider.id}`);
  await page.getByText(success.banner.sent).waitFor();
  await page.getByText(success.ifNotSent).waitFor({ state: 'detached' });
  await page.goto('/success');
  for (const text of promises) await page.getByText(text).waitFor();
  expect(await toHue(banner, 'background-color')).toBe('green');
  expect(await page.getByText(success.ifSent).count()).toBe(0);
});

test('the confirmation offers a call only if the provider has a phone number', async () => {
  meets('P2.success.07');
  await using app = await browserApp();
  const provider = await insertProvider(app.db, calling);
  const silent = await insertProvider(app.db, { ...calling, phone: null, zipCode: '99501' });
  await app.knows(provider);
  await app.knows(silent);
  const pages = await Promise.all([provider, silent].map(({ id }) => app.get(`/success?providerId=${id}`)));
  expect(pages.map(({ text }) => text.includes(success.callNow))).toEqual([true, false]);
  await using visitor = await visit(app);
  const { page } = visitor;
  await sendQuiz(page, '99501');
  await page.waitForURL(`**/success?providerId=${silent.id}`);
  await page.getByText(success.lead, { exact: true }).waitFor();
  expect(await page.getByText(success.callNow).count()).toBe(0);
});
