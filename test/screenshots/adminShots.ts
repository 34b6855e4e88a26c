import type { BrowserContext, Page } from 'playwright';
import { deliveryAttempts } from '#server/db/schema/index.ts';
import { mailReceipts } from '#server/features/applications/applicationMail.ts';
import { insightCopy } from '#client/admin/insights/copy.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { signedIn } from '#test/support/staff.ts';
import { insertInsightSamples } from '#test/support/insightSamples.ts';
import type { TestApp } from '#test/support/testApp.ts';
import { insertEndpoint, insertWebhook } from '#test/support/webhookRows.ts';

interface AdminShot {
  name: string;
  path: string;
  /** Stores what only this screen needs; later screens see it too. */
  fill?: (app: TestApp) => Promise<void>;
  prepare?: (page: Page) => Promise<void>;
  viewport: boolean;
  isStaff?: true;
}

/** A name for each, so that the same people are in every picture. */
const people = [
  ['Adrian', 'Ashgrove', '80202'],
  ['Bram', 'Brightwater', '10016'],
  ['Cole', 'Coppergate', '99501'],
  ['Dario', 'Dunmere', '60601'],
  ['Emmett', 'Elmsworth-Featherstonehaugh', '33131'],
  ['Felix', 'Fairbrook', '00001'],
  ['Grady', 'Glasswell', '78701'],
] as const;

/** Leads in each state the dashboard distinguishes. */
export async function insertAdminSamples(app: TestApp): Promise<void> {
  await insertProvider(app.db, { name: 'Dr. Closed Down', status: 'f', zipCode: '80301', wordpressId: 12 });
  for (const [first, last, zip] of [...people, ...people.slice(0, 1)]) {
    const person = {
      first_name: first,
      last_name: last,
      email: `${first}@example.com`.toLowerCase(),
      zip_code: zip,
    };
    await app.post('/api/leads', leadInput(person));
  }
  await app.sql`update leads set crm_sync_status = 'success' where id % 3 = 1`;
  await app.sql`update leads set crm_sync_status = 'failed' where id % 3 = 2`;
  // These aren't on hold for lack of a CRM.
  await app.sql`delete from deliveries where channel = 'crm' and lead_id % 3 <> 0`;
  await app.sql`update leads set created_at = now() - make_interval(hours => (20 - id::int) * 7)`;
  await app.sql`
    update leads set quarantined_at = now(), quarantine_reason = 'token-early'
    where id = (select max(id) from leads where zip_code = '60601')`;
}

/** Applications that are new, almost due and overdue, the last one without a receipt. */
async function insertApplications(app: TestApp): Promise<void> {
  for (const [index, zip] of ['80202', '60601', '00001'].entries()) {
    const token = index === 2 ? undefined : formToken('application');
    await app.post('/api/provider-applications', applicationInput({ zip_code: zip, token }));
  }
  await mailReceipts(app.services);
  await app.sql`update provider_applications set created_at = now() - make_interval(hours => (3 - id::int) * 26 + 2)`;
}

/** Signs a browser in as an owner. */
export async function signInAsStaff(app: TestApp, context: BrowserContext, url: string): Promise<void> {
  const { cookie } = await signedIn(app, 'owner');
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
}

async function awaitRows(page: Page): Promise<void> {
  await page.locator('tr[data-lead]').first().waitFor();
}

async function openPicker(page: Page): Promise<void> {
  await awaitRows(page);
  await page.getByRole('button', { name: 'Match with provider...' }).first().click();
  await page.locator('[data-option]').first().waitFor();
}

async function openDrawer(page: Page): Promise<void> {
  await awaitRows(page);
  await page
    .getByRole('link', { name: leadCopy.open('Adrian Ashgrove') })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Consent' }).waitFor();
}

/** Somebody with the same phone as a lead withdrew. */
async function askAboutPhone({ sql }: TestApp): Promise<void> {
  await sql`insert into staff_tasks (kind, lead_id) select 'phone-withdrawn', id from leads where first_name = 'Bram'
    on conflict (kind, lead_id) where done_at is null do nothing`;
}

async function openTask(page: Page): Promise<void> {
  await page.getByRole('link', { name: leadCopy.open('Bram Brightwater') }).click();
  await page.getByRole('region', { name: 'Phone to review' }).waitFor();
}

async function stopPhone(app: TestApp): Promise<void> {
  await askAboutPhone(app);
  const manager = await signedIn(app, 'manager');
  const [task] = await app.sql<{ id: string }[]>`select id from staff_tasks where done_at is null`;
  await app.post(`/api/tasks/${task?.id}/complete`, { decision: 'stop-phone' }, manager);
}

async function openSuppressed(page: Page): Promise<void> {
  await page.getByRole('link', { name: leadCopy.open('Bram Brightwater') }).click();
  await page.getByRole('button', { name: 'Lift: Phone' }).waitFor();
}

async function openLift(page: Page): Promise<void> {
  await openSuppressed(page);
  await page.getByRole('button', { name: 'Lift: Phone' }).click();
  await page.getByLabel('Reason').waitFor();
}

async function selectAll(page: Page): Promise<void> {
  await awaitRows(page);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
}

async function removeOne(page: Page): Promise<void> {
  await awaitRows(page);
  await page.getByRole('button', { name: leadCopy.remove, exact: true }).last().click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Lead restored').waitFor();
}

async function awaitProviders(page: Page): Promise<void> {
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor();
}

async function openSettings(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: / settings$/ })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
}

async function awaitInsights(page: Page): Promise<void> {
  await page.getByRole('button', { name: '90 days' }).click();
  await page.getByRole('button', { name: insightCopy.showCharts }).click();
  await page.locator('.recharts-surface').nth(3).waitFor();
  await awaitProviders(page);
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
}

/** Endpoints in each state, and webhooks beside the deliveries of the leads. */
async function insertWebhookSamples(app: TestApp): Promise<void> {
  const now = new Date();
  const endpointId = await insertEndpoint(app, { description: 'Booking system', payload: 'full' });
  const failing = { failures: 7, firstFailedAt: now, types: ['lead.created', 'lead.updated'] as const };
  await insertEndpoint(app, {
    url: 'https://reports.example/hooks/mpx',
    ...failing,
    types: [...failing.types],
  });
  await insertEndpoint(app, { url: 'https://old.example/', disabledAt: now, disabledReason: 'staff' });
  const webhook = (type: string, leadId: number, row: object): Promise<string> =>
    insertWebhook(app, { endpointId, event: { type, leadId }, createdAt: now, ...row });
  await webhook('lead.created', 1, { state: 'delivered', attempts: 1, reason: null });
  await webhook('lead.updated', 2, { attempts: 2, reason: 'The endpoint returned HTTP 503.' });
  const failed = { state: 'failed', attempts: 8, reason: 'The endpoint returned HTTP 400.' };
  const deliveryId = await webhook('lead.assigned', 3, failed);
  const attempt = { deliveryId, channel: 'webhook', durationMs: 182, outcome: 'failed' } as const;
  await app.db.insert(deliveryAttempts).values([
    {
      ...attempt,
      status: null,
      reason: 'The endpoint couldn’t be reached.',
      at: new Date(now.getTime() - 5000),
    },
    { ...attempt, status: 'HTTP 400', reason: failed.reason, answer: '{"error":"unknown field"}' },
  ]);
}

async function awaitDeliveries(page: Page): Promise<void> {
  await page.locator('tr[data-delivery]').first().waitFor();
}

async function openAttempts(page: Page): Promise<void> {
  await awaitDeliveries(page);
  await page.getByRole('button', { name: /^8 attempts/ }).click();
  await page.getByText('Response').waitFor();
}

async function awaitEndpoints(page: Page): Promise<void> {
  await page.getByRole('article').first().waitFor();
}

export const adminShots: readonly AdminShot[] = [
  { name: 'admin-gate', path: '/admin', viewport: true },
  { name: 'admin-leads', path: '/admin', viewport: true, isStaff: true, prepare: awaitRows },
  {
    name: 'admin-leads-filtered',
    path: '/admin?match=unmatched&status=failed',
    viewport: true,
    isStaff: true,
  },
  { name: 'admin-leads-picker', path: '/admin', viewport: true, isStaff: true, prepare: openPicker },
  { name: 'admin-leads-selected', path: '/admin', viewport: true, isStaff: true, prepare: selectAll },
  { name: 'admin-leads-drawer', path: '/admin', viewport: true, isStaff: true, prepare: openDrawer },
  {
    name: 'admin-leads-task',
    path: '/admin?task=phone-withdrawn',
    viewport: true,
    isStaff: true,
    fill: askAboutPhone,
    prepare: openTask,
  },
  {
    name: 'admin-leads-suppressed',
    path: '/admin',
    viewport: true,
    isStaff: true,
    fill: stopPhone,
    prepare: openSuppressed,
  },
  { name: 'admin-leads-lift', path: '/admin', viewport: true, isStaff: true, prepare: openLift },
  { name: 'admin-leads-toast', path: '/admin', viewport: true, isStaff: true, prepare: removeOne },
  {
    name: 'admin-providers',
    path: '/admin?tab=providers',
    viewport: true,
    isStaff: true,
    prepare: awaitProviders,
  },
  {
    name: 'admin-providers-settings',
    path: '/admin?tab=providers',
    viewport: true,
    isStaff: true,
    prepare: openSettings,
  },
  {
    name: 'admin-applications',
    path: '/admin?tab=applications',
    fill: insertApplications,
    prepare: (page) => page.locator('td time').first().waitFor(),
    viewport: true,
    isStaff: true,
  },
  {
    name: 'admin-insights',
    path: '/admin?tab=insights',
    viewport: false,
    isStaff: true,
    fill: ({ db }) => insertInsightSamples(db, { days: 90, leadsPerDay: 45, now: new Date() }),
    prepare: awaitInsights,
  },
  {
    name: 'admin-deliveries',
    path: '/admin?tab=deliveries',
    viewport: false,
    isStaff: true,
    fill: insertWebhookSamples,
    prepare: awaitDeliveries,
  },
  {
    name: 'admin-deliveries-attempts',
    path: '/admin?tab=deliveries&deliveryChannel=webhook',
    viewport: true,
    isStaff: true,
    prepare: openAttempts,
  },
  {
    name: 'admin-webhooks',
    path: '/admin?tab=integrations',
    viewport: false,
    isStaff: true,
    prepare: awaitEndpoints,
  },
];
