import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

/** Without its comments axe is half as long; every page it looks at reads it anew. */
const axeSource = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** The success criteria of WCAG 2.2, levels A and AA. */
export const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * What axe finds wrong with a page as it stands, by WCAG 2.2 A and AA and best practices or by the rules of other tags: each rule with the elements that break it. What passes isn't listed,
 * which is most of what axe would spend its time on; and only a page with frames needs the second page in which axe puts frames together.
 */
export async function violationsOn(
  page: Page,
  tags: readonly string[] = [...wcagTags, 'best-practice'],
): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page, axeSource })
    .options({ runOnly: { type: 'tag', values: [...tags] }, resultTypes: ['violations'] })
    .setLegacyMode(page.frames().length === 1)
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}
