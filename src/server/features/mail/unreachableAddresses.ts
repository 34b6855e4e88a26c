import { inArray, lt } from 'drizzle-orm';
import type { UnreachableCause } from '#shared/admin/adminLeads.ts';
import type { DataKeys } from '#server/security/dataKeys.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { purgeRows } from '../../db/purgeRows.ts';
import { unreachableAddresses } from '../../db/schema/index.ts';
import { recipientHash, recipientHashes } from '../identity/identityHashes.ts';

/** Owners of addresses change and mailboxes are repaired: after a year, sending is tried again. */
const keptMs = 365 * dayMs;

/** Why no automatic message is sent to an address, for staff. */
export const unreachableReasons: Readonly<Record<UnreachableCause, string>> = {
  bounce: 'An earlier email to this address bounced.',
  complaint: 'The recipient reported an earlier email as spam.',
};

/**
 * Why no automatic message is sent to each of these addresses. Those that may get one are omitted. Throws if no secret
 * opens the identity key.
 */
export async function listUnreachable(
  { db, dataKeys }: { db: Database; dataKeys: DataKeys },
  addresses: readonly string[],
): Promise<Map<string, UnreachableCause>> {
  if (addresses.length === 0) return new Map();
  const { key } = await dataKeys.current('identity');
  const hashes = new Map(addresses.map((address) => [address, recipientHashes(key, address)]));
  const rows = await db
    .select({ hash: unreachableAddresses.recipientHmac, cause: unreachableAddresses.cause })
    .from(unreachableAddresses)
    .where(inArray(unreachableAddresses.recipientHmac, [...new Set([...hashes.values()].flat())]));
  const causes = new Map(rows.map(({ hash, cause }) => [hash, cause]));
  return new Map(
    [...hashes].flatMap(([address, forms]) => {
      const cause = forms.map((hash) => causes.get(hash)).find((known) => known !== undefined);
      return cause === undefined ? [] : [[address, cause]];
    }),
  );
}

/** Why no automatic message is sent to this address; null if one may be sent. */
export async function findUnreachable(
  services: { db: Database; dataKeys: DataKeys },
  address: string,
): Promise<UnreachableCause | null> {
  return (await listUnreachable(services, [address])).get(address) ?? null;
}

/** Stores that an address bounced or complained. The latest counts. */
export async function storeUnreachable(
  tx: Queryable,
  {
    address,
    cause,
    identityKey,
    now,
  }: { address: string; cause: UnreachableCause; identityKey: Buffer; now: Date },
): Promise<void> {
  await tx
    .insert(unreachableAddresses)
    .values({ recipientHmac: recipientHash(identityKey, address), cause, at: now })
    .onConflictDoUpdate({ target: unreachableAddresses.recipientHmac, set: { cause, at: now } });
}

/** Ends that an address counts as unreachable. */
export async function forgetUnreachable(
  tx: Queryable,
  { address, identityKey }: { address: string; identityKey: Buffer },
): Promise<void> {
  await tx
    .delete(unreachableAddresses)
    .where(inArray(unreachableAddresses.recipientHmac, recipientHashes(identityKey, address)));
}

/** Deletes a batch of entries older than a year. Returns how many. */
export function purgeUnreachable(db: Queryable, now: Date): Promise<number> {
  const { recipientHmac, at } = unreachableAddresses;
  return purgeRows(db, recipientHmac, lt(at, new Date(now.getTime() - keptMs)));
}
