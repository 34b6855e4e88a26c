import { and, eq, lte, count, gt, isNotNull, isNull, ne } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { floodMessage } from '#shared/admin/alerts.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { entriesMax } from '#server/cache/caches.ts';
import { alerts, consentRecords, leads } from '#server/db/schema/index.ts';
import { leadsFlooding } from '#server/metrics.ts';
import type { Services } from '#server/services.ts';
import { toView } from '#server/tenant/providerRecord.ts';
import { clearAlert, raiseAlert } from '../../alerts/alerts.ts';
import type { Flood } from './floodLimits.ts';

const kind = 'lead-flood';
/** What an alert about phone numbers is about: a number would be personal. */
const phones = 'phone';

/** What this process reported within a minute: during a flood, leads must not wait for the row of one alert. */
const reportedMs = 60_000;
const reported = new WeakMap<Database, LRUCache<string, true>>();

function isReported(db: Database, subject: string): boolean {
  const known = reported.get(db) ?? new LRUCache<string, true>({ ...entriesMax(1_000), ttl: reportedMs });
  reported.set(db, known);
  if (known.has(subject)) return true;
  known.set(subject, true);
  return false;
}

type ReportServices = Pick<Services, 'db' | 'tenants' | 'log' | 'now'>;

/** Counts a lead that a flood's limit stopped, and opens the alert about it. Never fails: the lead is stored. */
export async function reportFlood(
  services: ReportServices,
  { target, allowed }: Flood,
  providerId: number | null,
): Promise<void> {
  leadsFlooding.inc({ limit: target });
  const attacked = target === 'provider' ? providerId : null;
  if (isReported(services.db, attacked === null ? phones : String(attacked))) return;
  try {
    await openAlert(services, attacked, allowed);
  } catch (error) {
    services.log.warn(
      { event: 'alert.failed', err: error, kind },
      'the alert about many leads was not opened',
    );
  }
}

async function openAlert(
  { db, tenants, now }: ReportServices,
  providerId: number | null,
  allowed: number,
): Promise<void> {
  const provider = providerId === null ? null : await tenants.findById(providerId);
  const name = provider === null ? `#${providerId}` : toView(provider).label;
  const message = providerId === null ? floodMessage.phone : floodMessage.provider(name, allowed);
  const subject = providerId === null ? phones : String(providerId);
  await raiseAlert(db, { kind, subject, message, now: now() });
}

/** Ends the alerts that are a day old. A flood that continues opens its alert again. */
export async function endFloodAlerts({ db, now }: Pick<Services, 'now'> & { db: Queryable }): Promise<void> {
  const old = await db
    .select({ subject: alerts.subject })
    .from(alerts)
    .where(and(eq(alerts.kind, kind), lte(alerts.since, new Date(now().getTime() - dayMs))));
  for (const { subject } of old) await clearAlert(db, { kind, subject });
}

/** Fewer are a few robots. */
const countMin = 5;
const shareMax = 0.1;

/**
 * Opens an alert while more than a tenth of the last 24 hours' leads with a valid form token, and at least five, are
 * quarantined: they may be people's. Leads above the rate limit don't count: they are delivered by themselves.
 */
export async function checkQuarantineShare({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const at = now();
  const since = new Date(at.getTime() - dayMs);
  const quarantined = await countShown(db, since, 'quarantined');
  // The second count reads all leads of the day.
  const all = quarantined < countMin ? 0 : await countShown(db, since, 'all');
  if (quarantined < countMin || quarantined <= all * shareMax) {
    await clearAlert(db, { kind: 'quarantine-share' });
    return;
  }
  const message = `${quarantined} of ${all} leads of the last 24 hours came from a form with a valid token and are quarantined. Look at the list “Quarantined” and release those of people.`;
  await raiseAlert(db, { kind: 'quarantine-share', message, now: at });
}

/** Leads whose form is known to have been shown, from the indexes of their time and of their evidence. */
async function countShown(db: Queryable, since: Date, which: 'quarantined' | 'all'): Promise<number> {
  const isQuarantined = and(isNotNull(leads.quarantinedAt), ne(leads.quarantineReason, 'over-limit'));
  const [row] = await db
    .select({ counted: count() })
    .from(leads)
    .innerJoin(consentRecords, eq(consentRecords.leadId, leads.id))
    .where(
      and(
        isNull(leads.deletedAt),
        gt(leads.createdAt, since),
        isNotNull(consentRecords.msFromRender),
        which === 'quarantined' ? isQuarantined : undefined,
      ),
    );
  return row?.counted ?? 0;
}
