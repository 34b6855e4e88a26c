import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'];

/** Without its comments axe is half as long; every page it looks at reads it once. */
const axeSource = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** The success criteria of WCAG 2.2, levels A and AA. */
export const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * What axe finds wrong with a page as it stands, by WCAG 2.2 A and AA and best practices or by the rules of other tags:
 * each rule with the elements that break it. What passes isn't listed, which is most of what axe would spend its time
 * on.
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

/** Axe's own driver, which puts frames together, reads axe anew at each look: as long again as the look itself. */
async function violationsOfOneFrame(page: Page, options: object): Promise<Violations> {
  const isRead = await page.evaluate<boolean>("typeof axe === 'object'");
  if (!isRead) await page.evaluate(axeSource);
  return page.evaluate<Violations>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
}
