import { and, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { RenderedMail } from '#shared/mail/mail.ts';
import type { Queryable } from '#server/db/connect.ts';
import type { Services } from '#server/services.ts';
import type { DeliveryResult } from '../outbox/types.ts';

/**
 * Messages that are about no lead and no event, and so are no deliveries: a table of its own for each, whose rows a
 * worker leases and sends each hour until they end.
 */

const leasedAtOnce = 20;
const leasedRows = z.array(z.object({ id: z.string() }));

/**
 * Leases rows that wait and are due: they are due again in an hour, so a process that dies in between sends one again.
 * Two processes never lease the same. The table has the columns `id` and `next_attempt_at`. Returns the ids.
 */
export async function leaseDue(db: Queryable, table: PgTable, isWaiting: SQL | undefined): Promise<string[]> {
  const due = db
    .select({ id: sql`id` })
    .from(table)
    .where(and(isWaiting, sql`next_attempt_at <= now()`))
    .orderBy(sql`next_attempt_at`)
    .limit(leasedAtOnce)
    .for('update', { skipLocked: true });
  const rows = await db.execute(sql`
    update ${table} set next_attempt_at = now() + interval '1 hour' where id in (${due}) returning id`);
  return leasedRows.parse([...rows]).map(({ id }) => id);
}

interface PlainMessage {
  /** The left part of the Message-ID: recipients recognize a repeat by it. */
  id: string;
  address: string;
  rendered: RenderedMail;
  unsubscribeUrl?: string;
  /** See `Message`. */
  hasNoContact: boolean;
}

/** Makes one attempt. Replies go to the contact address. A failure is a result, not an error. */
export function sendPlain(
  { config, mail }: Pick<Services, 'config' | 'mail'>,
  { id, address, rendered, unsubscribeUrl, hasNoContact }: PlainMessage,
): Promise<DeliveryResult> {
  return mail.mailer.send({
    id,
    hasNoContact,
    // No name: mail programs show it.
    to: { name: '', address },
    replyTo: { name: config.mailFrom.name, address: config.contacts.email },
    rendered,
    unsubscribeUrl: unsubscribeUrl ?? null,
  });
}
