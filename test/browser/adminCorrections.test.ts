import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { correctionCopy } from '#client/admin/leads/copy.ts';
import { leadMessages } from '#shared/brand/leadMessages.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { isFocused, toast } from '#test/support/leadList.ts';
import { insertAgreed } from '#test/support/leadRows.ts';

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await element.evaluate(isFocused)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the keyboard doesn’t reach it');
}

/** What isn't within the width of the window. */
const cutOff = (page: Page, of: string): Promise<string[]> =>
  page.evaluate((selector) => {
    const all = [...document.querySelectorAll(`${selector}, ${selector} *`)];
    return all
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 1 && (left < -1 || right > window.innerWidth + 1);
      })
      .map((element) => `${element.tagName} ${element.textContent.slice(0, 40)}`);
  }, of);

test('on a phone, a lead is corrected with only the keyboard, with errors at the field', async () => {
  await using app = await browserApp();
  const long = `${'m'.repeat(60)}@${'d'.repeat(60)}.example`;
  const lead = await insertAgreed(app.db, { email: long, phone: '(303) 555-0142' });
  await using visitor = await visitAdmin(app, {
    ...{ path: `/admin?lead=${lead.id}`, width: 360 },
    expectedConsole: /status of 422/,
  });
  const { page } = visitor;
  const opener = page.getByRole('button', { name: correctionCopy.actionOf('Email') });
  await opener.waitFor(patience);
  await tabTo(page, opener);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: correctionCopy.titles.email });
  const field = dialog.getByLabel(correctionCopy.labels.email);
  await field.waitFor(patience);
  await expect.poll(() => field.evaluate(isFocused), patience).toBe(true);
  expect(await cutOff(page, '[data-modal]')).toEqual([]);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('kit');
  await page.keyboard.press('Enter');
  await dialog.getByText(leadMessages.fields.email.invalid).waitFor(patience);
  await expect.poll(() => field.evaluate(isFocused), patience).toBe(true);
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  const described = (await field.getAttribute('aria-describedby')) ?? '';
  expect(await page.locator(`[id="${described.split(' ').at(-1)}"]`).innerText()).toContain(
    leadMessages.fields.email.invalid,
  );
  await visitor.expectAccessible();
  expect(await cutOff(page, '[data-modal]')).toEqual([]);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('kit@example.com');
  await page.keyboard.press('Enter');
  await toast(page, correctionCopy.done).waitFor(patience);
  await dialog.waitFor({ state: 'detached', ...patience });
  await expect.poll(() => opener.evaluate(isFocused), patience).toBe(true);
  expect(await app.sql`select email from leads`).toEqual([{ email: 'kit@example.com' }]);

  const phone = page.getByRole('button', { name: correctionCopy.actionOf('Phone') });
  await tabTo(page, phone);
  await page.keyboard.press('Enter');
  const number = page.getByLabel(correctionCopy.labels.phone);
  await number.waitFor(patience);
  await expect.poll(() => number.evaluate(isFocused), patience).toBe(true);
  await page.keyboard.type('9');
  await page.keyboard.press('Escape');
  await expect.poll(() => phone.evaluate(isFocused), patience).toBe(true);
  expect(await app.sql`select phone from leads`).toEqual([{ phone: '(303) 555-0142' }]);
});
