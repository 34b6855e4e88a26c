import { randomUUID } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import { mail } from '#shared/brand/mail.ts';
import { longTime } from '#shared/formats/localTime.ts';
import { dayMs } from '#shared/formats/time.ts';
import { outcomeDueMs } from '#shared/admin/leadStage.ts';
import { findZones } from '#shared/leads/zipZones.ts';
import { type MailTrack, renderPlainMail } from '#shared/mail/mail.ts';
import { readOpening, weekdays } from '#shared/providers/openingHours.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leadReminders, leads, type LeadRow, providers, type ProviderRow } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { recordAudit } from '../../audit/audit.ts';
import { findTrack } from '../../mail/leadTrack.ts';
import { mailSite, oneAddress, outcomeLinks } from '../../mail/mailFacts.ts';
import { sendPlain } from '../../mail/plainMessages.ts';
import { lockLeads } from '../../outbox/leadStatus.ts';
import { isLeadSuppressed } from '../../suppression/suppressions.ts';
import { findMark } from '../../unreachable/addressMarks.ts';
import { allows } from '../leadStates.ts';
import type { LeadAction } from './leadChanges.ts';
import type { Outcome } from './leadRetries.ts';

/** In all, for one lead. */
const remindersMax = 3;

export type ReminderAction = LeadAction & { services: Pick<Services, 'config' | 'mail'> };

interface Reminder {
  id: string;
  lead: LeadRow;
  provider: ProviderRow;
  address: string;
  track: MailTrack;
  zone: string;
}

/** When a provider without hours of its own may be reminded. */
const usualHours = weekdays.map((day) => `${day} 08:00-18:00`).join('; ');

/** Of a provider whose ZIP code is in no known zone: the middle of the country. */
const usualZone = 'America/Chicago';

function getZone({ timeZone, zipCode }: ProviderRow): string {
  return timeZone ?? findZones(zipCode)[0] ?? usualZone;
}

const alreadyReported = 'The provider has reported an outcome.';
const tooMany = `This provider was reminded of the lead ${remindersMax} times. Call the clinic.`;

/** Why a lead's provider can't be reminded now, as a sentence for staff; null: it can. */
async function refuse(
  tx: Queryable,
  { lead, provider, track, zone }: Omit<Reminder, 'id' | 'address'>,
  { now, identityKey }: { now: Date; identityKey: Buffer },
): Promise<string | null> {
  if (lead.quarantinedAt !== null) return 'The lead is in quarantine. Release it first.';
  if (lead.outcome !== null) return alreadyReported;
  if (track.sent === null) return 'No email about this lead has reached the provider.';
  const dueAt = Date.parse(track.sent) + outcomeDueMs;
  if (dueAt > now.getTime()) return `Wait a day for an outcome: until ${toText(dueAt, zone)}.`;
  const isListed = and(eq(leads.id, lead.id), isLeadSuppressed(identityKey));
  if ((await tx.$count(leads, isListed)) > 0) return 'This person must not be contacted.';
  if ((await findMark(tx, provider.email)) !== null)
    return 'The provider’s address is marked as unreachable. Call the clinic.';
  const sent = await tx
    .select({ at: leadReminders.at })
    .from(leadReminders)
    .where(eq(leadReminders.leadId, lead.id))
    .orderBy(desc(leadReminders.at));
  if (sent.length >= remindersMax) return tooMany;
  const nextAt = (sent[0]?.at.getTime() ?? -Infinity) + dayMs;
  if (nextAt > now.getTime()) return `One reminder a day: the next from ${toText(nextAt, zone)}.`;
  const opening = readOpening({ hours: provider.hours ?? usualHours, timeZone: zone }, now);
  if (opening === null || opening.isOpen) return null;
  const { clock, until } = opening;
  return `It’s ${clock} at the clinic, outside its hours.${until === null ? '' : ` Remind it from ${until}, its time.`}`;
}

function toText(ms: number, zone: string): string {
  return longTime(new Date(ms).toISOString(), [zone]);
}

/** Stores a reminder that may be sent, or says why none may. */
async function storeReminder(
  { services, actor }: ReminderAction,
  leadId: number,
): Promise<Reminder | { error: string }> {
  const { db, dataKeys, now } = services;
  const { key: identityKey } = await dataKeys.current('identity');
  return db.transaction(async (tx) => {
    const isLead = and(eq(leads.id, leadId), allows('note'));
    // Two requests at the same time: the second one waits and finds the first one's reminder.
    if ((await lockLeads(tx, isLead)).length === 0) throw notFound('Lead');
    const [row] = await tx
      .select({ lead: leads, provider: providers })
      .from(leads)
      .leftJoin(providers, eq(providers.id, leads.providerId))
      .where(eq(leads.id, leadId));
    if (row === undefined) throw notFound('Lead');
    const { lead, provider } = row;
    if (provider === null) return { error: 'The lead has no provider. Assign one first.' };
    const track = await findTrack(tx, lead, provider.id);
    const found = { lead, provider, track, zone: getZone(provider) };
    const error = await refuse(tx, found, { now: now(), identityKey });
    if (error !== null) return { error };
    const address = oneAddress.safeParse(provider.email.trim());
    if (!address.success) return { error: 'The provider’s record has no valid email address.' };
    const id = randomUUID();
    await tx.insert(leadReminders).values({ id, leadId, providerId: provider.id, at: now(), by: actor.name });
    return { ...found, id, address: address.data };
  });
}

/**
 * Sends one email that reminds a lead's provider to report an outcome: a day after the lead was sent to it, once a day
 * and three times in all, within the provider's hours. It contains no contact details. A refusal is a result, not an
 * error. Audits what was tried. Throws NOT_FOUND 'Lead not found'.
 */
export async function remindProvider(reminderAction: ReminderAction, leadId: number): Promise<Outcome> {
  const { services, actor, ip } = reminderAction;
  const held = services.mail.mailer.heldReason();
  if (held !== null) return { success: false, error: held };
  const reminder = await storeReminder(reminderAction, leadId);
  if ('error' in reminder) return { success: false, ...reminder };
  const result = await sendPlain(services, {
    ...{ id: reminder.id, address: reminder.address, hasNoContact: true },
    rendered: renderReminder(services, reminder),
  });
  const outcome: Outcome =
    result.outcome === 'delivered' ? { success: true } : { success: false, error: result.reason };
  await services.db.transaction(async (tx) => {
    if (!outcome.success) await tx.delete(leadReminders).where(eq(leadReminders.id, reminder.id));
    const detail = { providerId: reminder.provider.id, ...outcome };
    const subject = { kind: 'lead', id: leadId };
    await recordAudit(tx, { actor, ip, action: 'lead.remind', subject, detail });
  });
  return outcome;
}

function renderReminder(
  { config, now }: ReminderAction['services'],
  { lead, provider, track, zone }: Reminder,
) {
  const links = outcomeLinks(config, mailSite(config), {
    ...{ publicId: lead.publicId, providerId: provider.id, now: now() },
  });
  const stages = (['received', 'sent', 'reached', 'booked'] as const).map((stage) => {
    const at = track[stage];
    return `${mail.track[stage]} ${at === null ? mail.track.unknown : longTime(at, [zone])}`;
  });
  const { subject, why, ask, answer } = mail.reminder;
  return renderPlainMail(subject(lead.id), [
    why(lead.id),
    stages.join(' · '),
    ask,
    answer,
    { href: links.reached },
  ]);
}
