import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { personCopy } from '#client/admin/leads/erasure/copy.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { buildProviderHref } from '#shared/admin/adminProviders.ts';
import { directoryPath } from '#shared/pages/directory.ts';
import { paths, successPath } from '#shared/pages/paths.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience, visit } from '#test/support/browser.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { insertProvider } from '#test/support/factories.ts';
import { keepToast, row } from '#test/support/leadList.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { sortFrom } from '#test/support/mapVisit.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { signedIn } from '#test/support/staff.ts';
import { enterZip } from '#test/support/stepForm.ts';
import type { TestApp } from '#test/support/testApp.ts';

/** Two hundred characters without a space: letters, another direction, emoji, and marks above and below letters. */
const names = [
  'W'.repeat(200),
  `\u202e${'ש'.repeat(199)}`,
  '👨‍👩‍👧‍👦'.repeat(18),
  `Z${'\u0301\u0323'.repeat(20)}`.repeat(5),
];
const longEmail = `${'m'.repeat(64)}@${'d'.repeat(60)}.${'e'.repeat(60)}.example`;

/** What a stranger typed, wherever staff see it. Returns a lead with each name, and their provider, whose name is long. */
async function insertLongNames(app: TestApp): Promise<{ ids: number[]; providerId: number }> {
  const provider = await insertProvider(app.db, { name: names[0] ?? '' });
  const ids: number[] = [];
  for (const [index, name] of names.entries()) {
    const typed = { firstName: name, lastName: name, email: `${index}${longEmail}`, createdAt: new Date() };
    const own = {
      ...typed,
      phone: `(303) 555-01${40 + index}`,
      zipCode: '9'.repeat(10),
      providerId: provider.id,
    };
    const lead = await insertAgreed(app.db, own);
    await insertAgreed(app.db, {
      ...own,
      quarantinedAt: new Date(),
      quarantineReason: 'honeypot',
      email: `q${own.email}`,
    });
    const about = { leadId: lead.id, providerId: provider.id, channel: 'provider-email' } as const;
    await insertDelivery(app, { ...about, state: 'failed', reason: `550 <${own.email}> unknown` });
    await app.sql`insert into staff_tasks (kind, lead_id) values ('phone-withdrawn', ${lead.id}), ('mailbox-withdrawn', ${lead.id})`;
    ids.push(lead.id);
    await app.post(
      '/api/provider-applications',
      applicationInput({ practice_name: `P${index}`, email: `a${index}@b.example` }),
    );
    await app.sql`
      update provider_applications set practice_name = ${name}, contact_name = ${name}, role = ${name}, message = ${name + name}, email = ${own.email}
      where practice_name = ${`P${index}`}`;
  }
  const headers = await signedIn(app, 'owner');
  const [task] = await app.sql<
    { id: string }[]
  >`select id from staff_tasks where kind = 'phone-withdrawn' order by id desc limit 1`;
  await app.post(`/api/tasks/${task?.id}/complete`, { decision: 'stop-phone' }, headers);
  for (const id of ids) await app.get(`/api/leads/${id}`, headers);
  return { ids, providerId: provider.id };
}

/** What is pushed away: the page, controls out of the window, the content below a title, and what is in too wide a box. */
function pushedAway(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // Tables and the bar of tabs scroll by themselves, up to this width.
    const tableWidth = 1_040;
    const scrolls = (element: Element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
    const found: string[] = [];
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > window.innerWidth) found.push(`the page: ${scrollWidth} px`);
    for (const element of document.querySelectorAll('*'))
      if (scrolls(element) && element.scrollWidth > Math.max(element.clientWidth, tableWidth))
        found.push(`a box: ${element.scrollWidth} px, ${element.className}`);
    const isInScroller = (element: Element): boolean => {
      const box = element.parentElement;
      return box !== null && ((scrolls(box) && box.scrollWidth > box.clientWidth) || isInScroller(box));
    };
    for (const control of document.querySelectorAll('button, a, input, select, textarea, [role=tab]')) {
      const { left, right, width } = control.getBoundingClientRect();
      const isOut = width > 1 && (left < -1 || right > window.innerWidth + 1);
      if (isOut && control.checkVisibility({ visibilityProperty: true }) && !isInScroller(control))
        found.push(
          `${control.tagName} ${(control.getAttribute('aria-label') ?? control.textContent).slice(0, 30)}: ${left} to ${right}`,
        );
    }
    for (const title of document.querySelectorAll('[data-modal] h2')) {
      const { height } = title.getBoundingClientRect();
      if (height > window.innerHeight / 4) found.push(`a title: ${height} px high`);
    }
    return found;
  });
}

test('what a stranger typed pushes nothing away, on any screen of any width', async () => {
  await using app = await browserApp();
  const { ids, providerId } = await insertLongNames(app);
  const [first = 0] = ids;
  await using visitor = await visitAdmin(app, { role: 'owner' });
  const { page } = visitor;
  const found: Record<string, string[]> = {};
  const check = async (screen: string): Promise<void> => {
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const pushed = await pushedAway(page);
      if (pushed.length > 0) found[`${screen} at ${width} px`] = pushed;
    }
  };
  for (const [path, isShown] of [
    ['', '[data-lead]'],
    ['?quarantined=true', '[data-lead]'],
    ['?task=phone-withdrawn', '[data-lead]'],
    ['?task=mailbox-withdrawn', '[data-lead]'],
    ['?search=www', '[data-lead]'],
    ['?tab=applications', 'td time'],
    ['?tab=providers', '[data-provider]'],
    ['?tab=insights', '[aria-labelledby=insight-providers] tbody a'],
    [buildProviderHref(providerId), 'h3'],
    ['?tab=deliveries', 'tr[data-delivery]'],
    ['?tab=audit', 'td time'],
    ['?tab=team', 'td time'],
  ] as const) {
    await page.goto(`/admin${path}`);
    await page.locator(isShown).first().waitFor(patience);
    await check(path);
  }
  for (const id of ids) {
    await page.goto(`/admin?lead=${id}`);
    await page.getByRole('dialog').getByRole('heading', { name: 'Consent' }).waitFor(patience);
    await check(`drawer of ${id}`);
  }
  await page.getByRole('button', { name: personCopy.erase }).click(patience);
  const erase = page.getByRole('dialog', { name: personCopy.eraseTitle(ids.at(-1) ?? 0) });
  await erase
    .getByText(`#${ids.at(-1)}`)
    .first()
    .waitFor(patience);
  await check('erase');
  await page.goto('/admin');
  await row(page, first).getByRole('button', { name: leadCopy.remove, exact: true }).click(patience);
  await keepToast(page, 'Lead deleted successfully');
  await check('toast');
  expect(found).toEqual({});
});

test('a clinic’s long name makes no page that shows it wider than the screen', async () => {
  await using own = await browserApp();
  const name = `${'W'.repeat(80)} ${'m'.repeat(80)}`;
  const domain = 'long.localhost';
  const { id } = await insertProvider(own.db, { name, practiceName: name, zipCode: '80202', domain });
  await own.knows(domain);
  const wide: string[] = [];
  async function check(page: Page): Promise<void> {
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const { href, scrollWidth } = await page.evaluate(() => ({
        href: location.href,
        scrollWidth: document.documentElement.scrollWidth,
      }));
      if (scrollWidth > width) wide.push(`${href} at ${width} px: ${scrollWidth} px`);
    }
  }
  const sites = {
    localhost: [successPath(id), directoryPath({ state: 'CO', city: 'Denver' })],
    [domain]: [paths.home, paths.quiz, paths.map, successPath(id)],
  };
  for (const [host, shown] of Object.entries(sites)) {
    await using visitor = await visit(own, { host });
    for (const path of shown) {
      await visitor.page.goto(path);
      await visitor.page
        .getByText(name)
        .first()
        .waitFor({ state: 'attached', ...patience });
      await check(visitor.page);
    }
  }
  await using visitor = await visit(own);
  const { page } = visitor;
  await page.goto(paths.map);
  await sortFrom(page, '80202');
  await check(page);
  await page.goto(paths.find);
  await enterZip(page, '80202', 'find');
  await page.getByText(name).first().waitFor(patience);
  await check(page);
  expect(wide).toEqual([]);
});
