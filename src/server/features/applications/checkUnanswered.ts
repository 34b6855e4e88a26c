import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { unansweredMessage } from '#shared/admin/alerts.ts';
import { applicationAnswerHours } from '#shared/brand/application.ts';
import { hourMs } from '#shared/formats/time.ts';
import { longTime } from '#shared/formats/localTime.ts';
import { providerApplications } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { clearAlert, raiseAlert } from '../alerts/alerts.ts';
import { getDueAt } from './applicationMessages.ts';

const kind = 'applications-unanswered';
const alertHours = applicationAnswerHours / 2;

/** Alerts while applications outside quarantine are unanswered for half of the time that the provider page promises. */
export async function checkUnanswered({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const at = now();
  const { id, createdAt, status, quarantineReason } = providerApplications;
  const isLate = and(
    eq(status, 'new'),
    or(isNull(quarantineReason), eq(quarantineReason, 'over-limit')),
    lte(createdAt, new Date(at.getTime() - alertHours * hourMs)),
  );
  const [oldest] = await db
    .select({ id, createdAt, total: sql<number>`count(*) over ()::int` })
    .from(providerApplications)
    .where(isLate)
    .orderBy(asc(createdAt), asc(id))
    .limit(1);
  if (oldest === undefined) {
    await clearAlert(db, { kind });
    return;
  }
  const due = longTime(getDueAt(oldest.createdAt).toISOString());
  const message = unansweredMessage(oldest.total, alertHours, { id: oldest.id, due });
  await raiseAlert(db, { kind, message, now: at });
}
