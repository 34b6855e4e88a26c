import { expect, test } from 'vitest';
import { stepForms } from '#shared/brand/stepForms.ts';
import { browserApp, patience, useBrowser, visit } from '#test/support/browser.ts';
import { enterZip } from '#test/support/stepForm.ts';

useBrowser();

const copy = stepForms.quiz;

test('a toast is at most 420 px wide and disappears after five seconds', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.clock.install();
  await page.goto('/start');
  // The form’s code is loaded when the form is first touched.
  await enterZip(page, '', 'quiz');
  const toast = page.getByRole('alert').filter({ hasText: copy.zipToast.title });
  await toast.waitFor(patience);
  await toast.waitFor({ state: 'detached', ...patience });
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await enterZip(page, '', 'quiz');
  await expect
    .poll(async () => {
      await page.clock.runFor(20);
      return toast.count();
    }, patience)
    .toBe(1);
  const box = await toast.boundingBox();
  expect(box?.width).toBeGreaterThan(300);
  expect(box?.width).toBeLessThanOrEqual(420);
  await page.clock.runFor(4_800);
  expect(await toast.count()).toBe(1);
  await page.clock.runFor(400);
  await toast.waitFor({ state: 'detached', ...patience });
});
