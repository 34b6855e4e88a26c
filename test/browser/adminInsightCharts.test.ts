import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertDeliveryAttempts, insertLeads } from '#test/support/leadRows.ts';

const path = '/admin?tab=insights&charts=true&since=2026-06-01&until=2026-06-03';

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
const chart = (page: Page, title: string) => card(page, title).locator('svg.recharts-surface');

test('marks leave a chart with the pointer', async () => {
  await using app = await browserApp();
  const createdAt = new Date('2026-06-01T08:00:00Z');
  for (const name of ['Alder & Vale Clinic', 'Birch Hollow Clinic', 'Cedar Landing Clinic']) {
    const { id } = await insertProvider(app.db, { name, zipCode: '80202' });
    const [lead] = await insertLeads(app.db, [{ createdAt, siteProviderId: id, providerId: id }]);
    await insertDeliveryAttempts(app.db, [{ leadId: lead?.id ?? 0, at: createdAt }]);
  }
  await using visitor = await visitAdmin(app, { path, width: 1280 });
  const { page } = visitor;
  await chart(page, 'Leads per day by site').waitFor(patience);
  await card(page, 'Time to first delivery').getByText('Median < 0.1 s').waitFor(patience);

  // The pointer leaves in the frame in which it moved.
  const marks = await chart(page, 'Match rate').evaluate(async (surface) => {
    const { x, y, width, height } = surface.getBoundingClientRect();
    const at = { bubbles: true, clientX: x + width / 2, clientY: y + height / 2 };
    const marked = () => surface.querySelectorAll('.recharts-tooltip-cursor').length;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    surface.dispatchEvent(new MouseEvent('mousemove', at));
    await frame();
    await frame();
    const counts = [marked()];
    surface.dispatchEvent(new MouseEvent('mousemove', at));
    surface.dispatchEvent(new MouseEvent('mouseout', { ...at, relatedTarget: document.body }));
    await frame();
    await frame();
    return [...counts, marked()];
  });
  expect(marks).toEqual([1, 0]);
});
