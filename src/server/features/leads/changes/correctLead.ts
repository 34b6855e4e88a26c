import { and, eq, sql } from 'drizzle-orm';
import { correctableFields, type CorrectableField, type LeadCorrection } from '#shared/leads/correction.ts';
import { suppressedReason } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { type LeadInsert, leads, type LeadRow } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { recordAudit } from '../../audit/audit.ts';
import { lockPersons, type Person, personColumns, makePerson } from '../../identity/identity.ts';
import { type Match, matchAgain } from '../../matching/match.ts';
import { findProviderDistance } from '../../matching/matchQueries.ts';
import { enqueueCorrections, listChannelsWithLead, lockLeadDeliveries } from '../../outbox/notices.ts';
import { releaseHeldForMailbox } from '../../outbox/refused/holds.ts';
import { reconsiderRepeats } from '../../outbox/repeats.ts';
import { requeueCancelled } from '../../outbox/requeue.ts';
import { dropOpenTasks, openNumberTasks, openTasksForNewLeads } from '../../suppression/staffTasks.ts';
import { findLeftOut, isLeadSuppressed, isSuppressedBySelf } from '../../suppression/suppressions.ts';
import { recordEvents } from '../../webhooks/recordEvents.ts';
import { leadUpdated } from '../leadEvents.ts';
import { placeOfZip } from '../../matching/zipTable.ts';
import { allows } from '../leadStates.ts';
import { expectNamed, listNamedOthers } from './assignment.ts';
import { storeCorrection } from './leadCorrections.ts';
import type { LeadAction } from './leadChanges.ts';
import { rematchLeads } from './moveLeads.ts';
import { lockedColumns, type LockedLead } from '../../outbox/leadStatus.ts';
import { listRefusers } from './rematch.ts';

export interface Correcting extends LeadAction {
  services: LeadAction['services'] & Pick<Services, 'config'>;
}

const correctedColumns = {
  ...lockedColumns,
  ...personColumns,
  email: leads.email,
  phone: leads.phone,
  createdAt: leads.createdAt,
};
type CorrectedLead = LockedLead & Person & Pick<LeadRow, 'email' | 'phone' | 'createdAt'>;

/** The field and its new value: the schema has checked that there is one. */
function getChange(correction: LeadCorrection): { field: CorrectableField; value: string } {
  for (const field of correctableFields) {
    const value = correction[field];
    if (value !== undefined) return { field, value };
  }
  throw new AppError('BAD_REQUEST', 'Send one of zip_code, phone and email.');
}

function readTyped(lead: CorrectedLead, field: CorrectableField): string {
  return field === 'zip_code' ? lead.zipCode : lead[field];
}

/** The lead's columns with the new value. */
function listColumns(lead: CorrectedLead, field: CorrectableField, value: string): Partial<LeadInsert> {
  if (field === 'zip_code') return { zipCode: value, zip5: value };
  const contact = { email: lead.email, phone: lead.phone, [field]: value };
  const { emailNorm, phoneE164, firstEmailNorm = null, firstPhoneE164 = null } = makePerson(contact);
  return field === 'email'
    ? { email: value, emailNorm, firstEmailNorm }
    : { phone: value, phoneE164, firstPhoneE164 };
}

/**
 * Corrects the ZIP, phone or email address of a lead. Its history keeps the old value, and the evidence what the person
 * typed. Notifies the provider and the CRM that have the lead. Matches a lead that its provider doesn't have yet by the
 * new ZIP, unless the site, the visitor or staff chose the provider. Sends nothing about a suppressed value until it is
 * corrected again. Staff decisions about the former value don't apply to the new one. Throws NOT_FOUND 'Lead not
 * found', CONFLICT for a person who asked not to be contacted, and CONFLICT as `expectNamed` does unless confirmed.
 */
export async function correctLead(staffAction: Correcting, correction: LeadCorrection): Promise<void> {
  const { services, actor, ip } = staffAction;
  const { id } = correction;
  const { field, value } = getChange(correction);
  const { key: identityKey } = await services.dataKeys.current('identity');
  const at = services.now();
  await services.db.transaction(async (tx) => {
    const lead = await lockForCorrection(tx, { id, field, value }, identityKey);
    if (readTyped(lead, field) === value) return;
    await lockLeadDeliveries(tx, id);
    const set = listColumns(lead, field, value);
    await tx
      .update(leads)
      .set({ ...set, updatedAt: sql`now()` })
      .where(eq(leads.id, id));
    await storeCorrection(tx, { leadId: id, at, by: actor.name, field, before: readTyped(lead, field) });
    const subject = { kind: 'lead', id };
    await recordAudit(tx, { actor, ip, action: 'lead.correct', subject, detail: { field } });
    await recordEvents(tx, leadUpdated(lead, [field]));
    await askAgain(tx, { id, field, phone: value, wasStopped: lead.isStopped }, { identityKey, now: at });
    const { providerId } = lead;
    const about = { leadId: id, providerId, channels: services.channels, by: actor.name, now: at };
    const isWithProvider = (await listChannelsWithLead(tx, about)).includes('provider-email');
    if (field === 'zip_code') {
      const newPlace = { lead, zip5: value, isWithProvider, confirmed: correction.confirmed };
      if (await place(tx, staffAction, newPlace)) return;
    } else if (providerId !== null && !isWithProvider)
      // Their provider would have learned the former value by this lead.
      await reconsiderRepeats(tx, { leadIds: [id], providerId, since: lead.createdAt, now: at });
    await enqueueCorrections(tx, about);
  });
  services.wakeSignal.wake();
}

/** Locks the person in both forms, as the intake does, and then the lead. */
async function lockForCorrection(
  tx: Queryable,
  { id, field, value }: { id: number; field: CorrectableField; value: string },
  identityKey: Buffer,
): Promise<CorrectedLead & { isStopped: boolean }> {
  const isCorrectable = and(eq(leads.id, id), allows('correct'));
  const [before] = await tx.select(correctedColumns).from(leads).where(isCorrectable);
  if (before === undefined) throw notFound('Lead');
  if (field !== 'zip_code')
    await lockPersons(tx, [before, makePerson({ email: before.email, phone: before.phone, [field]: value })]);
  const [lead] = await tx
    .select({
      ...correctedColumns,
      isStopped: isLeadSuppressed(identityKey),
      isEnded: sql<boolean>`${isSuppressedBySelf(identityKey)} or exists (select from consent_withdrawals said where said.lead_id = leads.id)`,
    })
    .from(leads)
    .where(isCorrectable)
    .for('no key update');
  if (lead === undefined) throw notFound('Lead');
  // Another value must not end what the person said about this one.
  if (lead.isEnded)
    throw new AppError('CONFLICT', 'This person asked not to be contacted. Nothing was changed.');
  return lead;
}

interface Corrected {
  id: number;
  field: CorrectableField;
  /** If that was corrected. */
  phone: string;
  /** Its value before was corrected by mistake to one that is suppressed. */
  wasStopped: boolean;
}

/**
 * Ends the questions about the former value, and delivers what waited for the answer. A new phone causes the questions
 * of a new lead: another person with it may have withdrawn, and further numbers may be suppressed.
 */
async function askAgain(
  tx: Queryable,
  { id, field, phone, wasStopped }: Corrected,
  options: { identityKey: Buffer; now: Date },
): Promise<void> {
  if (field === 'zip_code') return;
  if (wasStopped) await requeueCancelled(tx, [id], { reason: suppressedReason, now: options.now });
  if (field === 'email') {
    await releaseHeldForMailbox(tx, [id], options.now);
    await dropOpenTasks(tx, ['mailbox-withdrawn'], [id]);
    return;
  }
  await dropOpenTasks(tx, ['phone-withdrawn', 'number-suppressed'], [id]);
  await openTasksForNewLeads(tx, [id], options);
  const leftOut = await findLeftOut(tx, options.identityKey, [{ id, phone }]);
  await openNumberTasks(tx, [...leftOut.keys()], options);
}

interface NewPlace {
  lead: CorrectedLead;
  zip5: string;
  /** Whether its provider has the lead, or is receiving it. */
  isWithProvider: boolean;
  confirmed: boolean;
}

/** Matches a lead again, or only measures its distance. Returns whether it moved. */
async function place(
  tx: Queryable,
  { services }: Correcting,
  { lead, zip5, isWithProvider, confirmed }: NewPlace,
): Promise<boolean> {
  const { config, zipTable } = services;
  const { id, providerId, matchMethod } = lead;
  const isMatched = matchMethod === 'nearest' || matchMethod === 'none';
  if (isWithProvider || !isMatched) {
    const origin = placeOfZip(zipTable, zip5);
    const miles =
      origin === null || providerId === null ? null : await findProviderDistance(tx, providerId, origin);
    await tx.update(leads).set({ matchDistanceMiles: miles }).where(eq(leads.id, id));
    return false;
  }
  const except = (await listRefusers(tx, [id])).get(id) ?? [];
  const request = { zip5, zipCode: zip5, radiusMiles: config.matchRadiusMiles, zipTable, except };
  const match = withNote(await matchAgain(tx, request));
  if (match.providerId === providerId) {
    const { reason: matchReason, distanceMiles: matchDistanceMiles } = match;
    await tx.update(leads).set({ matchReason, matchDistanceMiles }).where(eq(leads.id, id));
    return false;
  }
  if (!confirmed && match.providerId !== null)
    expectNamed(await listNamedOthers(tx, new Map([[id, match.providerId]])));
  await rematchLeads(tx, services, [{ lead, match }]);
  return true;
}

function withNote(match: Match): Match {
  return { ...match, reason: `Matched again by the corrected ZIP code. ${match.reason}` };
}
