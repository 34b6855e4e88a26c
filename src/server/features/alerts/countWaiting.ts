import { and, eq, inArray } from 'drizzle-orm';
import { type WaitingCounts, waitingMax } from '#shared/admin/alerts.ts';
import { leadChannels } from '#shared/admin/deliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, providerApplications } from '#server/db/schema/index.ts';

/** Counts what waits for staff, of deliveries only those that the reader may list. Both are read from an index. */
export async function countWaiting(
  db: Queryable,
  { withWebhooks }: { withWebhooks: boolean },
): Promise<WaitingCounts> {
  const failed = eq(deliveries.state, 'failed');
  const ofLeads = inArray(deliveries.channel, [...leadChannels]);
  return {
    applications: await db.$count(
      db
        .select({ id: providerApplications.id })
        .from(providerApplications)
        .where(eq(providerApplications.status, 'new'))
        .limit(waitingMax + 1)
        .as('waiting'),
    ),
    deliveries: await db.$count(
      db
        .select({ id: deliveries.id })
        .from(deliveries)
        .where(withWebhooks ? failed : and(failed, ofLeads))
        .limit(waitingMax + 1)
        .as('waiting'),
    ),
  };
}
