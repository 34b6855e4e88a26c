import { and, gt, inArray, sql } from 'drizzle-orm';
import { minuteMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { auditLog } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { clearAlert, isAlertOpen, raiseAlert } from './alerts.ts';

const kind = 'sign-in-failures';
/** More than people mistype: an account’s own allowance for unknown devices. */
const countMin = 20;
const peakMs = 15 * minuteMs;
/** The alert ends after this long without a peak. */
const quietMs = 60 * minuteMs;

/** Failed sign-ins since a time, the refused ones included, and how many accounts they were for. */
async function countFailures(db: Queryable, since: Date): Promise<{ attempts: number; accounts: number }> {
  const attempts = sql<number>`coalesce(sum(coalesce((${auditLog.detail} ->> 'attempts')::int, 1)), 0)::int`;
  const [row] = await db
    .select({ attempts, accounts: sql<number>`count(distinct ${auditLog.subjectId})::int` })
    .from(auditLog)
    .where(and(inArray(auditLog.action, ['sign-in-failed', 'sign-in-refused']), gt(auditLog.at, since)));
  return row ?? { attempts: 0, accounts: 0 };
}

function getName(accounts: number): string {
  if (accounts === 0) return 'the shared password or unknown addresses';
  return accounts === 1 ? 'one account' : `${accounts} accounts`;
}

/**
 * Opens an alert after twenty failed sign-ins of any accounts within 15 minutes. It ends an hour after the last one.
 */
export async function checkSignIns({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const at = now();
  const { attempts, accounts } = await countFailures(db, new Date(at.getTime() - peakMs));
  if (attempts >= countMin) {
    const message = `${attempts} sign-ins failed within 15 minutes, for ${getName(accounts)}. Somebody may be guessing passwords. Unknown devices are slowed down; known devices and sign-in links by email get through. The audit log has each attempt.`;
    await raiseAlert(db, { kind, message, now: at });
    return;
  }
  if (!(await isAlertOpen(db, { kind }))) return;
  const recent = await countFailures(db, new Date(at.getTime() - quietMs));
  if (recent.attempts < countMin) await clearAlert(db, { kind });
}
