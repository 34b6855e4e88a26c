import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { studyNote } from '#shared/brand/calls.ts';
import { claims } from '#shared/brand/claims.ts';
import { studyTexts } from '#shared/brand/trust/study.ts';
import { type Claim, listMissingFacts, type Study } from '#shared/claims/claim.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { expectNothingOffScreen } from '#test/support/offScreen.ts';
import type { TestApp } from '#test/support/testApp.ts';

const registry: readonly Claim[] = claims;

// One site for all tests, which only read it.
let app: TestApp;
beforeAll(async () => {
  app = await browserApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** The claims of a page's marks, in the order of the page. */
async function listMarked(page: Page): Promise<string[]> {
  const hrefs = await page
    .getByRole('link', { name: studyNote.markLabel })
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  return [...new Set(hrefs.map((href) => href.slice(href.indexOf('#') + 1)))];
}

/** What the reader of a claim must find: how many, how long, and who paid, or whom to ask. */
function listAnswers({ participants, months, funding, ...rest }: Study): string[] {
  const missing = listMissingFacts({ participants, months, funding, ...rest });
  return [
    ...(participants === null ? [] : [`${studyTexts.labels.participants} ${participants}`]),
    ...(months === null ? [] : [`${studyTexts.labels.months} ${studyTexts.months(months)}`]),
    ...(funding === null ? [] : [`${studyTexts.labels.funding} ${funding}`]),
    ...(missing.length === 0 ? [] : [studyTexts.notPublished, app.services.config.contacts.email]),
    ...missing.map((fact) => studyTexts.labels[fact]),
  ];
}

const mark = (page: Page, claim: string) => page.locator(`main a[href$="#${claim}"]`).first();

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

test('at 360 px each claim’s mark answers how many, how long and who paid in one tap', async () => {
  await using visitor = await visit(app, { width: 360, touch: true });
  const { page } = visitor;
  await page.goto('/');
  const marked = await listMarked(page);
  expect(marked.length).toBeGreaterThan(3);
  for (const claim of marked) {
    await mark(page, claim).tap();
    const dialog = page.getByRole('dialog', { name: studyNote.more });
    const { text = '', study = null } = registry.find(({ id }) => id === claim) ?? {};
    await dialog.getByText(text, { exact: true }).waitFor();
    const shown = plain(await dialog.innerText());
    const answers = study === null ? [] : listAnswers(study);
    expect(answers.length).toBeGreaterThan(1);
    for (const answer of answers) expect(shown).toContain(answer);
    await expectNothingOffScreen(page, 'dialog *');
    // A doubter closes it and reads on at the same place.
    const top = await page.evaluate(() => scrollY);
    await dialog.getByRole('button').first().tap();
    await dialog.waitFor({ state: 'detached', ...patience });
    expect(await page.evaluate(() => scrollY)).toBe(top);
  }
});

test('without scripts each claim’s mark leads to the same facts on the study page', async () => {
  await using scripted = await visit(app, { width: 360, touch: true });
  await using visitor = await visit(app, { width: 360, touch: true, javaScript: false });
  await scripted.page.goto('/');
  await visitor.page.goto('/');
  const marked = await listMarked(visitor.page);
  expect(await listMarked(scripted.page)).toEqual(marked);
  for (const claim of marked) {
    await mark(scripted.page, claim).tap();
    const dialog = scripted.page.getByRole('dialog', { name: studyNote.more });
    const facts = dialog.locator('dl > div, p:has(a[href^="mailto:"])');
    await facts.first().waitFor();
    const inDialog = (await facts.allInnerTexts()).map(plain);
    await scripted.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached', ...patience });

    await visitor.page.goto('/');
    await mark(visitor.page, claim).tap();
    await visitor.page.waitForURL(`**/study#${claim}`);
    const section = visitor.page.locator(`section:has([id="${claim}"])`);
    await expect
      .poll(() => section.evaluate((element) => element.getBoundingClientRect().top), patience)
      .toBeLessThan(740);
    const onPage = await section.locator('dl > div, p:has(a[href^="mailto:"])').allInnerTexts();
    expect(onPage.map(plain)).toEqual(inDialog);
    await expectNothingOffScreen(visitor.page);
  }
});
