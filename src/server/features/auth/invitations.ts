import { asc, eq, lte, sql } from 'drizzle-orm';
import type { Invitation, InvitationSent } from '#shared/admin/access.ts';
import type { StaffRole } from '#shared/admin/staff.ts';
import { linkMinutes } from '#shared/admin/signInLinks.ts';
import { dayMs, minuteMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { purgeRows } from '#server/db/purgeRows.ts';
import { staffAccounts, type StaffInvitationRow, staffInvitations } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { recordAudit } from '../audit/audit.ts';
import { taken } from './accounts.ts';
import type { StaffActor } from './actor.ts';
import { type LinkServices, recordLink, refuseWithoutMail, sendLink } from './signInLinks.ts';

/** Where email is configured, owners never set another person's password. Throws CONFLICT there. */
export function refuseByHand({ config }: Pick<Services, 'config'>): void {
  if (config.smtpUrl !== null)
    throw new AppError('CONFLICT', 'Email is configured: send a link, and the person chooses a password.');
}

export function listInvitations(db: Queryable): Promise<StaffInvitationRow[]> {
  return db.select().from(staffInvitations).orderBy(asc(staffInvitations.id));
}

export function presentInvitation({ id, name, email, role, sentAt }: StaffInvitationRow): Invitation {
  const endsAt = new Date(sentAt.getTime() + linkMinutes.invitation * minuteMs);
  return { id, name, email, role, sent_at: sentAt.toISOString(), ends_at: endsAt.toISOString() };
}

interface By {
  actor: StaffActor;
  ip: string;
}

/** Throws CONFLICT if an account or an invitation has the address or the name, and SERVICE_UNAVAILABLE without email. */
export async function invite(
  services: LinkServices,
  { actor, ip }: By,
  person: { name: string; email: string; role: StaffRole },
): Promise<InvitationSent> {
  refuseWithoutMail(services);
  const { db, now } = services;
  const row = await db.transaction(async (tx) => {
    for (const field of ['email', 'name'] as const) {
      const same = eq(sql`lower(${staffAccounts[field]})`, person[field].toLowerCase());
      if ((await tx.$count(staffAccounts, same)) > 0) throw taken(field);
    }
    const values = { ...person, invitedBy: actor.name, sentAt: now() };
    const [stored] = await tx.insert(staffInvitations).values(values).onConflictDoNothing().returning();
    if (stored === undefined) throw new AppError('CONFLICT', 'This person is invited already.');
    await recordLink(tx, { actor, ip }, { kind: 'invitation', row: stored });
    return stored;
  });
  return send(services, row);
}

/** Sends a new link. The former one stops working. Throws NOT_FOUND. */
export async function resendInvitation(services: LinkServices, by: By, id: number): Promise<InvitationSent> {
  const own = eq(staffInvitations.id, id);
  const set = { sentAt: services.now() };
  const row = await services.db.transaction(async (tx) => {
    const [stored] = await tx.update(staffInvitations).set(set).where(own).returning();
    if (stored === undefined) throw notFound('Invitation');
    await recordLink(tx, by, { kind: 'invitation', row: stored });
    return stored;
  });
  return send(services, row);
}

async function send(services: LinkServices, row: StaffInvitationRow): Promise<InvitationSent> {
  return { ...presentInvitation(row), isSent: await sendLink(services, { kind: 'invitation', row }) };
}

/** Throws NOT_FOUND. */
export async function withdrawInvitation(db: Queryable, { actor, ip }: By, id: number): Promise<void> {
  const { count } = await db.delete(staffInvitations).where(eq(staffInvitations.id, id));
  if (count === 0) throw notFound('Invitation');
  const subject = { kind: 'invitation', id };
  await recordAudit(db, { actor, ip, action: 'account.uninvite', subject });
}

/** Owners see for a while that a link has ended. */
const keptDays = 30;

export function purgeInvitations(db: Queryable, now: Date): Promise<number> {
  const { id, sentAt } = staffInvitations;
  return purgeRows(db, id, lte(sentAt, new Date(now.getTime() - keptDays * dayMs)));
}
