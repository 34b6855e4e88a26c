import { eq, inArray, isNotNull, lte } from 'drizzle-orm';
import { mail as copy } from '#shared/brand/mail.ts';
import { longTime } from '#shared/formats/localTime.ts';
import { dayMs } from '#shared/formats/time.ts';
import { renderPlainMail } from '#shared/mail/mail.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { purgeRows } from '#server/db/purgeRows.ts';
import { addressNotices, providers } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { leaseDue, sendPlain } from '../mail/plainMessages.ts';
import { findZones } from '#shared/leads/zipZones.ts';
import { getLabel } from '#shared/providers/providerView.ts';

type RequiredServices = Pick<Services, 'config' | 'db' | 'dataKeys' | 'mail'>;

/** A week of attempts, one an hour: then the news is old. */
const keptMs = 7 * dayMs;

interface Notice {
  id: string;
  address: string;
  changedAt: Date;
  practice: string;
  /** The provider's. */
  zones: readonly string[];
}

/**
 * Tells former addresses of providers that they get no leads any more. A message that isn't accepted is due again in an
 * hour, unless its recipient is refused for good. Any number of processes may call it. A process that dies in between
 * may send one twice, with the same Message-ID. Returns how many were sent.
 *
 * The lists of people who bounced or withdrew aren't asked: anybody can get an address onto them through a lead form,
 * and so silence the alarm about a redirected provider. `recordAddressChanges` limits the messages instead.
 */
export async function mailFormerAddresses(services: RequiredServices): Promise<number> {
  if (services.mail.mailer.heldReason() !== null) return 0;
  let sent = 0;
  for (const notice of await leaseNotices(services.db)) if (await inform(services, notice)) sent += 1;
  return sent;
}

/** Due notices, which are due again in an hour. */
async function leaseNotices(db: Database): Promise<Notice[]> {
  const { id, address, changedAt, providerId } = addressNotices;
  const ids = await leaseDue(db, addressNotices, isNotNull(address));
  const rows = await db
    .select({
      ...{ id, address, changedAt, name: providers.name, practiceName: providers.practiceName },
      zipCode: providers.zipCode,
    })
    .from(addressNotices)
    .innerJoin(providers, eq(providers.id, providerId))
    .where(inArray(id, ids));
  return rows.flatMap(({ name, practiceName, zipCode, address: former, ...row }) => {
    const zones = findZones(zipCode);
    return former === null
      ? []
      : [{ ...row, zones, address: former, practice: getLabel({ name, practiceName }) }];
  });
}

/** Makes one attempt. Returns whether the message was accepted. */
async function inform(
  services: RequiredServices,
  { id, address, changedAt, practice, zones }: Notice,
): Promise<boolean> {
  const { config, db } = services;
  const { subject, text } = copy.addressChanged;
  const body = text(practice, longTime(changedAt.toISOString(), zones), config.contacts.email);
  const result = await sendPlain(services, {
    id,
    address,
    rendered: renderPlainMail(subject, [body]),
    hasNoContact: false,
  });
  const isFinal = result.outcome === 'failed' && result.refusal === 'recipient';
  if (result.outcome === 'delivered' || isFinal)
    await db.update(addressNotices).set({ address: null }).where(eq(addressNotices.id, id));
  return result.outcome === 'delivered';
}

/** Deletes a batch of changes older than a week, with or without a message. Returns how many. */
export function purgeAddressNotices(db: Queryable, now: Date): Promise<number> {
  const { id, changedAt } = addressNotices;
  return purgeRows(db, id, lte(changedAt, new Date(now.getTime() - keptMs)));
}
