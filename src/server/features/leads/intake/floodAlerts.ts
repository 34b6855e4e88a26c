import { and, eq, lte } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { floodMessage } from '#shared/admin/alerts.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { entriesMax } from '#server/cache/caches.ts';
import { alerts } from '#server/db/schema/index.ts';
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
