import { expect, test } from 'vitest';
import { listCopy } from '#client/admin/kit/copy.ts';
import { auditCopy, claimCopy } from '#client/admin/settings/copy.ts';
import { hero } from '#shared/brand/hero.ts';
import { adminCopy } from '#shared/admin/copy.ts';
import { claims } from '#shared/brand/claims.ts';
import { problemTexts } from '#shared/brand/trust/plainTalk.ts';
import { problemAnchor } from '#shared/pages/paths.ts';
import { problemReports } from '#server/db/schema/index.ts';
import { problemsPageSize } from '#shared/admin/claims.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { slowness } from '#test/support/slowness.ts';

const path = '/admin?tab=claims';
const claimId = 'no-adverse-effects';
const claim = claims.find(({ id }) => id === claimId)?.text ?? '';
const [shownText = ''] = hero.facts.flatMap((fact) =>
  fact.claim === claimId ? [fact.text.replace('¹', '')] : [],
);

test('an owner hides a claim within a second and shows it again, each with Undo', async () => {
  await using app = await browserApp();
  await using visitor = await visitAdmin(app, { path, role: 'owner' });
  const { page } = visitor;
  const isOnPage = async (): Promise<boolean> => (await app.get('/')).text.includes(shownText);
  expect(await isOnPage()).toBe(true);
  const row = page.getByRole('row').filter({ hasText: claim });
  const withinSecond = { timeout: 1_000 * slowness, interval: 50 };
  const undo = page.getByRole('button', { name: adminCopy.undo });
  for (const [press, done, isShown] of [
    [row.getByRole('button', { name: claimCopy.hideOf(claim) }), claimCopy.hidden, false],
    [undo, claimCopy.shownAgain, true],
    [row.getByRole('button', { name: claimCopy.hideOf(claim) }), claimCopy.hidden, false],
    [row.getByRole('button', { name: claimCopy.showOf(claim) }), claimCopy.shownAgain, true],
    [undo, claimCopy.hidden, false],
  ] as const) {
    await press.click(patience);
    await page.getByRole('status').filter({ hasText: done }).waitFor(patience);
    await expect.poll(isOnPage, withinSecond).toBe(isShown);
    const state = isShown ? claimCopy.shown : claimCopy.hiddenBy('Test owner', '').replace(/, $/, '');
    await row.getByText(state).waitFor(patience);
  }
  await page.goto('/admin?tab=audit');
  // Undo is an act of its own.
  for (const [action, times] of [
    ['claim.hide', 3],
    ['claim.show', 2],
  ] as const) {
    const entries = page.getByRole('row').filter({ hasText: auditCopy.actions[action] ?? action });
    await expect.poll(() => entries.getByText('Test owner').count(), patience).toBe(times);
  }
});

test('a manager sees which claim is hidden and by whom, without a button', async () => {
  await using app = await browserApp();
  await app.sql`insert into hidden_claims (claim_id, hidden_by) values (${claimId}, 'Dana Owner')`;
  await using visitor = await visitAdmin(app, { path, width: 360 });
  const row = visitor.page.getByRole('row').filter({ hasText: claim });
  await row.getByText(/^Hidden by Dana Owner/).waitFor(patience);
  expect(await row.getByRole('button').count()).toBe(0);
  await visitor.expectAccessible();
});

test('a visitor’s report about a claim is listed beside it until it is completed', async () => {
  await using app = await browserApp();
  await using visitor = await visit(app);
  const { page } = visitor;
  await page.goto(`/study#${problemAnchor}`);
  await page.getByLabel(problemTexts.labels.what).fill('My skin burned.');
  await page.getByLabel(problemTexts.labels.claim).selectOption(claim);
  await page.getByRole('button', { name: problemTexts.submit }).click();
  await page.getByText(problemTexts.received).waitFor(patience);

  await using staff = await visitAdmin(app, { path });
  const claimRow = staff.page.getByRole('row').filter({ hasText: claimCopy.reports(1) });
  await claimRow.getByText(claim).waitFor(patience);
  const report = staff.page.getByRole('row').filter({ hasText: 'My skin burned.' });
  await report.getByRole('button', { name: /^Complete report/ }).click();
  await staff.page.getByRole('status').filter({ hasText: claimCopy.completed }).waitFor(patience);
  await report.waitFor({ state: 'detached', ...patience });
  await claimRow.waitFor({ state: 'detached', ...patience });
  expect(await app.sql`select 1 from problem_reports where done_at is null`).toHaveLength(0);
});

test('older reports are on further pages, which shrink as reports are completed', async () => {
  await using app = await browserApp();
  const first = Date.UTC(2026, 0);
  await app.db.insert(problemReports).values(
    Array.from({ length: problemsPageSize + 1 }, (_, at) => ({
      what: `Problem ${at}.`,
      host: 'localhost',
      createdAt: new Date(first + at),
    })),
  );
  await using visitor = await visitAdmin(app, { path, width: 360 });
  const { page } = visitor;
  await page.getByText(claimCopy.totalProblems(problemsPageSize + 1)).waitFor(patience);
  await page.getByText('Problem 1.', { exact: true }).waitFor(patience);
  expect(await page.getByText('Problem 0.').count()).toBe(0);
  const pager = page.getByRole('navigation', { name: claimCopy.problemPager });
  await pager.getByRole('button', { name: listCopy.next }).click();
  const oldest = page.getByRole('row').filter({ hasText: 'Problem 0.' });
  await oldest.waitFor(patience);
  await page.getByText('Problem 1.', { exact: true }).waitFor({ state: 'detached', ...patience });
  await visitor.expectAccessible();
  await oldest.getByRole('button', { name: /^Complete report/ }).click();
  await page.getByText('Problem 1.', { exact: true }).waitFor(patience);
  await pager.waitFor({ state: 'detached', ...patience });
});
