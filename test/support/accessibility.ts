import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'];

/** axe without its comments, which halves its size. Each page loads it once. */
const axeSource = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** The success criteria of WCAG 2.2, levels A and AA. */
export const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * The violations that axe finds on a page, by WCAG 2.2 A and AA and best practices or by the rules of other tags: each
 * rule with the elements that break it. Passed rules are not listed, because listing them takes most of axe's time.
 */
export async function violationsOn(
  page: Page,
  tags: readonly string[] = [...wcagTags, 'best-practice'],
): Promise<string[]> {
  const options = {
    runOnly: { type: 'tag' as const, values: [...tags] },
    resultTypes: ['violations' as const],
  };
  const violations =
    page.frames().length === 1
      ? await violationsOfOneFrame(page, options)
      : (await new AxeBuilder({ page, axeSource }).options(options).analyze()).violations;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

/** Replaces axe's own driver, which loads axe again for each check and so takes twice as long. */
async function violationsOfOneFrame(page: Page, options: object): Promise<Violations> {
  const isRead = await page.evaluate<boolean>("typeof axe === 'object'");
  if (!isRead) await page.evaluate(axeSource);
  return page.evaluate<Violations>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
}
