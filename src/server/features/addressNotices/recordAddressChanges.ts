import { count, gt, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '#server/db/connect.ts';
import { readRows } from '#server/db/readRows.ts';
import { addressNotices } from '#server/db/schema/index.ts';
import { addressChangesMessage, namedMax } from '#shared/admin/alerts.ts';
import { clearAlert, raiseAlert } from '../alerts/alerts.ts';

/** More changes in an hour are a move of the whole network, or an attack: owners hear of it, not each address. */
const changesPerHourMax = 10;

const kind = 'provider-emails-changed' as const;
const lastHour = sql`now() - interval '1 hour'`;

interface AddressChange {
  id: number;
  before: { email: string };
  after: { email: string };
}

/**
 * Stores, in the transaction of the change, that the addresses that get the leads of these providers change, so that a
 * worker informs the former ones. One that refuses the provider's email is left out; one that reported an email as spam
 * isn't, since the spam may have come through a form. If more than ten changed
 * within an hour, the rest are left out, and owners get one alert instead.
 */
export async function recordAddressChanges(
  tx: Queryable,
  changes: readonly AddressChange[],
  now: Date,
): Promise<void> {
  const rows = changes.map(({ id, before, after }) => ({ id, former: before.email, email: after.email }));
  const { count: added } = await tx.execute(sql`
    insert into address_notices (provider_id, address)
    select c.id, case when not exists (select from unreachable_providers u where u.cause = 'bounce' and u.address = lower(btrim(c.former))) then c.former end
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as c (id bigint, former text, email text)
    where lower(btrim(c.former)) <> lower(btrim(c.email))`);
  if (added === 0) return;
  const [found] = await tx.select({ total: count() }).from(addressNotices).where(isRecent());
  const total = found?.total ?? 0;
  if (total <= changesPerHourMax) return;
  await tx.update(addressNotices).set({ address: null }).where(isRecent());
  // An alert that is open since an earlier time was mailed then: this is another one.
  if (total - added <= changesPerHourMax) await clearAlert(tx, { kind });
  const message = addressChangesMessage(total, await listNames(tx));
  await raiseAlert(tx, { kind, message, now });
}

function isRecent() {
  return gt(addressNotices.changedAt, lastHour);
}

/** Names of the providers that the alert names. */
async function listNames(tx: Queryable): Promise<string[]> {
  const rows = await readRows(tx, z.object({ name: z.string() }))`
    select distinct p.id, p.name from address_notices n join providers p on p.id = n.provider_id
    where n.changed_at > ${lastHour} order by p.id limit ${namedMax}`;
  return rows.map(({ name }) => name);
}
