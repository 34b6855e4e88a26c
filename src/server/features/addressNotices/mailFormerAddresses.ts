import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import { mail as copy } from '#shared/brand/mail.ts';
import { longDate } from '#shared/formats/writing.ts';
import { dayMs } from '#shared/formats/time.ts';
import { drawPlainMail } from '#shared/mail/plainMail.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { addressNotices, providers, suppressions } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { identityOf } from '../identity/identity.ts';
import { findUnreachable } from '../mail/unreachableAddresses.ts';
import { suppressionsOf } from '../suppression/suppressions.ts';

type Needed = Pick<Services, 'config' | 'db' | 'dataKeys' | 'mail'>;

const leasedAtOnce = 20;
/** A week of attempts, one an hour: then the news is old. */
const keptMs = 7 * dayMs;

interface Notice {
  id: string;
  address: string;
  changedAt: Date;
  practice: string;
}

/**
 * Tells former addresses of providers that they get no leads any more. A message that isn't accepted is due again in an
 * hour, unless its recipient is refused for good. Any number of processes may call it. A process that dies in between
 * may send one twice, with the same Message-ID. Returns how many were sent.
 */
export async function mailFormerAddresses(services: Needed): Promise<number> {
  if (services.mail.mailer.heldReason() !== null) return 0;
  let sent = 0;
  for (const notice of await leaseNotices(services.db)) if (await inform(services, notice)) sent += 1;
  return sent;
}

/** Due notices, which are due again in an hour. */
async function leaseNotices(db: Database): Promise<Notice[]> {
  const { id, address, changedAt, nextAttemptAt, providerId } = addressNotices;
  const due = db
    .select({ id })
    .from(addressNotices)
    .where(and(isNotNull(address), lte(nextAttemptAt, sql`now()`)))
    .orderBy(nextAttemptAt)
    .limit(leasedAtOnce)
    .for('update', { skipLocked: true });
  const rows = await db
    .update(addressNotices)
    .set({ nextAttemptAt: sql`now() + interval '1 hour'` })
    .from(providers)
    .where(and(inArray(id, due), eq(providers.id, providerId)))
    .returning({ id, address, changedAt, name: providers.name, practiceName: providers.practiceName });
  return rows.flatMap(({ name, practiceName, address: former, ...row }) =>
    former === null ? [] : [{ ...row, address: former, practice: practiceName ?? name }],
  );
}

/** Makes one attempt. Returns whether the message was accepted. */
async function inform(services: Needed, { id, address, changedAt, practice }: Notice): Promise<boolean> {
  const { config, db, mail } = services;
  if (await mayNotBeTold(services, address)) {
    await forgetAddress(db, id);
    return false;
  }
  const contact = config.contacts.email;
  const { subject, text } = copy.addressChanged;
  const result = await mail.mailer.send({
    id,
    to: { name: '', address },
    replyTo: { name: config.mailFrom.name, address: contact },
    drawn: drawPlainMail(subject, [text(practice, longDate(changedAt.toISOString()), contact)]),
    unsubscribeUrl: null,
  });
  const isFinal = result.outcome === 'failed' && result.refusal === 'recipient';
  if (result.outcome === 'delivered' || isFinal) await forgetAddress(db, id);
  return result.outcome === 'delivered';
}

/** Whether the address bounced, complained, or belongs to somebody who doesn't want to be contacted. */
async function mayNotBeTold({ db, dataKeys }: Needed, address: string): Promise<boolean> {
  if ((await findUnreachable({ db, dataKeys }, address)) !== null) return true;
  const { key } = await dataKeys.current('identity');
  const { emailNorm, firstEmailNorm } = identityOf({ email: address });
  return (await db.$count(suppressions, suppressionsOf(key, { emailNorm, firstEmailNorm }))) > 0;
}

async function forgetAddress(db: Database, id: string): Promise<void> {
  await db.update(addressNotices).set({ address: null }).where(eq(addressNotices.id, id));
}

const purgedPerBatch = 5_000;

/** Deletes a batch of changes older than a week, with or without a message. Returns how many. */
export async function purgeAddressNotices(db: Queryable, now: Date): Promise<number> {
  const old = db
    .select({ id: addressNotices.id })
    .from(addressNotices)
    .where(lte(addressNotices.changedAt, new Date(now.getTime() - keptMs)))
    .limit(purgedPerBatch)
    .for('update', { skipLocked: true });
  return (await db.delete(addressNotices).where(inArray(addressNotices.id, old))).count;
}
