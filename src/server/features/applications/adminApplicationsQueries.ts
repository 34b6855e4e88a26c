import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type {
  AdminApplication,
  AdminApplicationList,
  adminApplicationListInput,
  applicationIdInput,
  adminApplicationStatusInput,
} from '#shared/applications/adminApplications.ts';
import { providerApplications } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import type { Actor } from '../auth/actor.ts';
import { recordAudit } from '../audit/audit.ts';
import { searchConditions } from '../leads/list/searchConditions.ts';
import { getDueAt, insertMessages, isUnanswered, listReceipts, planReleased } from './applicationMessages.ts';

type ApplicationRow = typeof providerApplications.$inferSelect;

/** `receipt`: null if there is none. */
export function toAdminApplication(
  row: ApplicationRow,
  receipt: AdminApplication['receipt'],
): AdminApplication {
  return {
    id: row.id,
    practice_name: row.practiceName,
    contact_name: row.contactName,
    role: row.role,
    email: row.email,
    phone: row.phone,
    zip_code: row.zipCode,
    website: row.website,
    message: row.message,
    status: row.status,
    created_at: row.createdAt.toISOString(),
    quarantineReason: row.quarantineReason,
    filledHoneypot: row.filledHoneypot === true,
    dueAt: isUnanswered(row) ? getDueAt(row.createdAt).toISOString() : null,
    receipt,
  };
}

const { practiceName, contactName, email, phone, zipCode } = providerApplications;
const searchedText = sql`(' ' || lower(concat_ws(' ', ${practiceName}, ${contactName}, ${email},
  regexp_replace(${phone}, '[^0-9]', '', 'g'), ${zipCode})) || ' ')`;

/** A page of applications, newest first, with the total of that status and search. */
export async function listApplications(
  { db, mail }: Pick<Services, 'db' | 'mail'>,
  { status, search, page, limit }: z.output<typeof adminApplicationListInput>,
): Promise<AdminApplicationList> {
  const condition = and(
    status === undefined ? undefined : eq(providerApplications.status, status),
    ...searchConditions(search, searchedText, providerApplications.id),
  );
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(providerApplications)
      .where(condition)
      .orderBy(desc(providerApplications.createdAt), desc(providerApplications.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(providerApplications, condition),
  ]);
  const ids = rows.map(({ id }) => id);
  const receipts = await listReceipts(db, ids, mail.mailer.heldReason());
  return { applications: rows.map((row) => toAdminApplication(row, receipts.get(row.id) ?? null)), total };
}

interface ApplicationAction {
  services: Pick<Services, 'db' | 'mail' | 'now'>;
  actor: Actor;
  ip: string;
}

/** Sets an application's status and writes an audit entry. Throws NOT_FOUND 'Application not found'. */
export function setApplicationStatus(
  { services: { db, mail }, actor, ip }: ApplicationAction,
  { id, status }: z.output<typeof adminApplicationStatusInput>,
): Promise<AdminApplication> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(providerApplications)
      .set({ status })
      .where(eq(providerApplications.id, id))
      .returning();
    if (row === undefined) throw notFound('Application');
    const subject = { kind: 'application', id } as const;
    await recordAudit(tx, { actor, ip, action: 'application.status', subject, detail: { status } });
    const receipts = await listReceipts(tx, [id], mail.mailer.heldReason());
    return toAdminApplication(row, receipts.get(id) ?? null);
  });
}

/**
 * Releases an application from quarantine: its messages are sent, and it counts like every other. Writes an audit
 * entry. Throws NOT_FOUND 'Application not found', also if it isn't quarantined.
 */
export function releaseApplication(
  { services: { db, mail, now }, actor, ip }: ApplicationAction,
  { id }: z.output<typeof applicationIdInput>,
): Promise<AdminApplication> {
  const isQuarantined = and(eq(providerApplications.id, id), isNotNull(providerApplications.quarantinedAt));
  return db.transaction(async (tx) => {
    const [held] = await tx.select().from(providerApplications).where(isQuarantined).for('update');
    if (held === undefined) throw notFound('Application');
    const { quarantineReason: reason } = held;
    const released = { quarantinedAt: null, quarantineReason: null };
    await tx.update(providerApplications).set(released).where(eq(providerApplications.id, id));
    await insertMessages(tx, id, planReleased(held, now()));
    const subject = { kind: 'application', id } as const;
    await recordAudit(tx, { actor, ip, action: 'application.release', subject, detail: { reason } });
    const receipts = await listReceipts(tx, [id], mail.mailer.heldReason());
    return toAdminApplication({ ...held, ...released }, receipts.get(id) ?? null);
  });
}
