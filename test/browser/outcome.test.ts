import { expect, test } from 'vitest';
import { linkEnd, signOutcome } from '#server/features/mail/linkTokens.ts';
import { leadOutcomeNames as names } from '#shared/leads/leadOutcomes.ts';
import { outcome as copy } from '#shared/brand/outcome.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';

test.each([
  [360, true],
  [360, false],
  [768, true],
  [1280, true],
])(
  'at %i px, scripts %s: one press records, another within a minute takes it back',
  async (width, javaScript) => {
    meets('D.people.05');
    await using app = await browserApp();
    const provider = await insertProvider(app.db, { zipCode: '80202' });
    const { publicId } = await insertAgreed(app.db, {
      providerId: provider.id,
      firstName: 'Bartholomew-Maximilian',
    });
    await using visitor = await visit(app, { width, javaScript });
    const { page } = visitor;
    const said = {
      publicId,
      providerId: provider.id,
      outcome: 'booked',
      endsAt: linkEnd(new Date()),
    } as const;
    await page.goto(`/outcome/${signOutcome(app.services.config.secretKeys, said)}`);
    await page
      .getByRole('heading', { name: copy.ask.title('Bartholomew-Maximilian', '80202') })
      .waitFor(patience);
    expect(await page.title()).toBe(copy.windowTitle);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    if (javaScript) await visitor.expectAccessible();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    expect((await button(names.booked).boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await button(names.reached).click();
    await page.getByRole('heading', { name: copy.noted.title(names.reached) }).waitFor(patience);
    if (javaScript) await visitor.expectAccessible();
    const outcomes = () => app.sql`select outcome from lead_outcomes`;
    expect([...(await outcomes())]).toEqual([{ outcome: 'reached' }]);
    await button(names.booked).click();
    await page.getByRole('heading', { name: copy.contradiction.title }).waitFor(patience);
    if (javaScript) await visitor.expectAccessible();
    expect(await outcomes()).toHaveLength(0);
  },
);
