import { and, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { suppressionReasons } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { consentErasures, consentRecords, leads } from '#server/db/schema/index.ts';
import type { DataKey } from '#server/security/dataKeys.ts';
import type { Services } from '#server/services.ts';
import { recordAudit, recordAuditOfEach } from '../audit/audit.ts';
import { type Identity, listIdentities, lockPersons, type Person } from '../identity/identity.ts';
import { identityHashSql, identityPads } from '../identity/identityHashes.ts';
import { lockWithRepeats } from '../leads/changes/eraseLeads.ts';
import { findLinkedLead } from '../leads/detail/linkedLead.ts';
import type { LedgerEntry } from '../ledger/ledgerEntry.ts';
import { adoptEntry, unnumberUnshipped } from '../ledger/ledgerReplay.ts';
import { readMailboxNote } from '../ledger/recordLedgerEntry.ts';
import { openPhoneTasks } from '../suppression/staffTasks.ts';
import {
  deleteHashed,
  hashed,
  type HashedIdentity,
  insertHashed,
  storeMailboxes,
} from '../suppression/suppressions.ts';
import { recordWithdrawals, suppress } from '../withdrawals/suppress.ts';
import { eraseRows } from './erasePerson.ts';
import { upgradeForms } from './upgradeForms.ts';

const actor = { kind: 'command', name: 'npm run restore' } as const;
const suppressionReason = z.enum(suppressionReasons).catch('do-not-contact');

/** What a replay did. */
export interface Replayed {
  /** Entries whose changes the database had already. */
  known: number;
  erasures: number;
  /** Leads that were erased. */
  leads: number;
  suppressions: number;
  lifts: number;
}

/** Email addresses and phone numbers of stored leads by their keyed hashes. */
type KnownIdentities = ReadonlyMap<string, Identity>;

interface Replay {
  known: KnownIdentities;
  identityKey: Buffer;
  sealKey: DataKey;
  now: Date;
}

function computeHashes({ email, phone }: LedgerEntry): HashedIdentity[] {
  return [
    ...(email === null ? [] : [{ kind: 'email', valueHmac: email } as const]),
    ...(phone === null ? [] : [{ kind: 'phone', valueHmac: phone } as const]),
  ];
}

/** Reads all leads once for each kind: nothing but the hash is known of a person. */
async function findIdentities(
  db: Queryable,
  entries: readonly LedgerEntry[],
  identityKey: Buffer,
): Promise<KnownIdentities> {
  const pads = identityPads(identityKey);
  const known = new Map<string, Identity>();
  const { emailNorm, phoneE164, firstEmailNorm, firstPhoneE164 } = leads;
  // The form of 1.0.0 first: where a hash is of both, the lead with the current form is the right one.
  const columns = [
    { kind: 'email', value: emailNorm, form: firstEmailNorm },
    { kind: 'phone', value: phoneE164, form: firstPhoneE164 },
    { kind: 'email', value: emailNorm, form: emailNorm },
    { kind: 'phone', value: phoneE164, form: phoneE164 },
  ] as const;
  for (const { kind, value: column, form } of columns) {
    const hmacs = new Set(entries.flatMap((entry) => entry[kind] ?? []));
    if (hmacs.size === 0) continue;
    const hash = identityHashSql(kind, form, pads);
    const rows = await db
      .selectDistinct({ value: column, hash: sql<string>`${hash}` })
      .from(leads)
      .where(
        and(
          isNull(leads.erasedAt),
          isNotNull(form),
          sql`${hash} = any (string_to_array(${[...hmacs].join()}, ','))`,
        ),
      );
    for (const { value, hash: hmac } of rows) known.set(hmac, { kind, value });
  }
  return known;
}

/** What is known of an entry's person; empty if no lead is stored. */
function toPerson(entry: LedgerEntry, known: KnownIdentities): Partial<Person> {
  const email = known.get(entry.email ?? '')?.value;
  const phone = known.get(entry.phone ?? '')?.value;
  return {
    ...(email === undefined ? {} : { emailNorm: email }),
    ...(phone === undefined ? {} : { phoneE164: phone }),
  };
}

/**
 * The leads and the evidence that an erasure removed: those that it named, and leads with the email that had arrived by
 * then. Leads with only the phone belong to the person only if it named them.
 */
async function findErased(
  tx: Queryable,
  entry: LedgerEntry,
  { emailNorm }: Partial<Person>,
): Promise<{ leadIds: number[]; recordIds: number[] }> {
  const hasEmail =
    emailNorm === undefined
      ? undefined
      : and(eq(leads.emailNorm, emailNorm), lte(leads.createdAt, new Date(entry.at)));
  const rows = await tx
    .select({ id: leads.id })
    .from(leads)
    .where(and(isNull(leads.erasedAt), or(inArray(leads.publicId, entry.leads), hasEmail)));
  const { id, leadId, leadPublicId } = consentRecords;
  const ids = rows.map((row) => row.id);
  const isKept = sql`not exists (select from ${consentErasures} where ${consentErasures.recordId} = ${id})`;
  const records = await tx
    .select({ id, leadId })
    .from(consentRecords)
    .where(and(or(inArray(leadId, ids), inArray(leadPublicId, entry.leads)), isKept))
    .orderBy(id);
  const leadIds = [...new Set([...ids, ...records.map((record) => record.leadId)])].toSorted((a, b) => a - b);
  return { leadIds, recordIds: records.map((record) => record.id) };
}

async function repeatErasure(tx: Queryable, entry: LedgerEntry, replay: Replay): Promise<number> {
  const { identityKey, sealKey, now } = replay;
  const person = toPerson(entry, replay.known);
  await lockPersons(tx, [person]);
  const before = await findErased(tx, entry, person);
  await lockWithRepeats(tx, before.leadIds);
  const erased = await findErased(tx, entry, person);
  const { leadIds } = erased;
  const by = actor.name;
  await insertHashed(tx, computeHashes(entry), { reason: 'erased', leadId: null, by, at: now });
  if (listIdentities(person).length > 0)
    await suppress(tx, {
      ...{ person, identityKey, only: leadIds, leadId: null, reason: 'erased', how: 'erasure' },
      ...{ by, ip: null, now, isInLedger: true },
    });
  if (leadIds.length === 0) return 0;
  await eraseRows(tx, erased, { by, now, sealKey });
  const lines = leadIds.map((id) => ({
    subject: { kind: 'lead', id },
    detail: { reason: entry.reason, leads: leadIds.length },
  }));
  await recordAuditOfEach(tx, { actor, ip: null, action: 'person.erase' }, lines);
  return leadIds.length;
}

async function repeatSuppression(tx: Queryable, entry: LedgerEntry, replay: Replay): Promise<void> {
  const { identityKey } = replay;
  const [publicId] = entry.leads;
  const leadId = publicId === undefined ? null : await findLead(tx, publicId);
  const how = entry.how ?? 'staff';
  const said = {
    by: how === 'staff' ? actor.name : 'Visitor',
    reason: suppressionReason.parse(entry.reason),
  };
  // As it was: later consents of the person are not withdrawn by it.
  const at = new Date(entry.at);
  const listed = await insertHashed(tx, computeHashes(entry), { ...said, leadId, at });
  const person = toPerson(entry, replay.known);
  if (listIdentities(person).length > 0)
    await suppress(tx, { ...said, person, identityKey, leadId, how, ip: null, now: at, isInLedger: true });
  else if (leadId !== null)
    await recordWithdrawals(tx, [leadId], { how, by: said.by, ip: null, now: at, since: at });
  const { emailNorm } = person;
  // Staff decide about leads of others with the same phone, as after the first withdrawal, unless they stopped it, too.
  if (entry.phone !== null || emailNorm === undefined || !listed.some(({ isNew }) => isNew)) return;
  const rows = await tx
    .selectDistinct({ phone: leads.phoneE164 })
    .from(leads)
    .where(eq(leads.emailNorm, emailNorm));
  const phones = rows.map(({ phone }) => phone);
  await openPhoneTasks(tx, { emailNorm, phones, identityKey, now: replay.now });
}

/** A lead by its public id, purged ones included. */
async function findLead(tx: Queryable, publicId: string): Promise<number | null> {
  const [lead] = await tx.select({ id: leads.id }).from(leads).where(eq(leads.publicId, publicId));
  return lead?.id ?? findLinkedLead(tx, publicId);
}

async function repeatLift(tx: Queryable, entry: LedgerEntry, { known, identityKey }: Replay): Promise<void> {
  // A person who was listed in the form of 1.0.0 is listed in the current one too.
  const current = listIdentities(toPerson(entry, known)).map((identity) => hashed(identityKey, identity));
  for (const identity of [...computeHashes(entry), ...current]) {
    if (!(await deleteHashed(tx, identity))) continue;
    const detail = { kind: identity.kind, reason: 'Repeated after a restore.' };
    await recordAudit(tx, { actor, ip: null, action: 'suppression.lift', subject: null, detail });
  }
}

/**
 * Repeats what verified entries of the shipped ledger say, in order, each in one transaction with the entry itself, so
 * that a second replay repeats nothing. Erasures notify providers and the CRM again.
 */
export async function replayEntries(
  { db, dataKeys, now }: Pick<Services, 'db' | 'dataKeys' | 'now'>,
  entries: readonly LedgerEntry[],
): Promise<Replayed> {
  const sealKey = await dataKeys.current('consent-seal');
  const { key: identityKey } = await dataKeys.current('identity');
  // A backup of an earlier version: its leads are found in the form that later entries have.
  await upgradeForms({ db, dataKeys });
  const known = await findIdentities(db, entries, identityKey);
  const done: Replayed = { known: 0, erasures: 0, leads: 0, suppressions: 0, lifts: 0 };
  if (entries.length > 0) await unnumberUnshipped(db);
  for (const entry of entries)
    await db.transaction(async (tx) => {
      const replay = { known, identityKey, sealKey, now: now() };
      const mailbox = readMailboxNote(entry);
      if (await adoptEntry(tx, entry, replay.now)) {
        done.known += 1;
      } else if (mailbox !== null) {
        await storeMailboxes(tx, [mailbox]);
      } else if (entry.kind === 'erased') {
        done.leads += await repeatErasure(tx, entry, replay);
        done.erasures += 1;
      } else if (entry.kind === 'suppressed') {
        await repeatSuppression(tx, entry, replay);
        done.suppressions += 1;
      } else {
        await repeatLift(tx, entry, replay);
        done.lifts += 1;
      }
    });
  if (done.suppressions + done.erasures > 0) await upgradeForms({ db, dataKeys }, { startsOver: true });
  return done;
}
