import { and, count, eq, gt, isNotNull, isNull, ne } from 'drizzle-orm';
import { dayMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { consentRecords, leads } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { clearAlert, raiseAlert } from '../../alerts/alerts.ts';

/** Fewer are a few robots. */
const countMin = 5;
const shareMax = 0.1;

/**
 * Opens an alert while many leads of the last 24 hours are quarantined although their form's token was valid: more than
 * a tenth of the leads with such a token, and at least five. They may be people's. It ends when the share falls, also
 * because staff released or deleted them. Those above the rate limit don't count: they are delivered by themselves.
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
