import type { ProviderRow } from '#server/db/schema/index.ts';
import type { NewEvent } from '../webhooks/recordEvents.ts';
import type { Queryable } from '#server/db/connect.ts';
import { recordAddressChanges } from '../addressNotices/recordAddressChanges.ts';
import { recordProviderAccess } from '../ledger/accessChanges.ts';
import { type AuditActor, recordAuditOfEach, maskEmail } from '../audit/audit.ts';

export const providerEventTypes = ['provider.updated', 'provider.deactivated'] as const;

export function providerChanged(
  { id, wordpressId }: Pick<ProviderRow, 'id' | 'wordpressId'>,
  { isDeactivated }: { isDeactivated: boolean },
): NewEvent {
  const type = isDeactivated ? 'provider.deactivated' : 'provider.updated';
  return { type, leadId: null, providerId: id, data: { id, wordpress_id: wordpressId } };
}

/** The fields that decide whether unmatched leads may match a provider. */
type Matchable = Pick<ProviderRow, 'status' | 'paused' | 'matchRadiusMiles'> & { location: string | null };

/** Whether unmatched leads may match this provider now that could not before. Any change of the radius counts. */
export function mayMatchMore(before: Matchable, after: Matchable): boolean {
  if (after.status !== 't' || after.paused || after.location === null) return false;
  return (
    before.status !== 't' ||
    before.paused ||
    before.location !== after.location ||
    before.matchRadiusMiles !== after.matchRadiusMiles
  );
}

/** What decides where a provider's leads go and whose site its domain shows. */
type Routing = Pick<ProviderRow, 'email' | 'domain' | 'status'>;

export interface ProviderChange {
  id: number;
  before: Routing;
  after: Routing;
}

export interface ChangeAuthor {
  actor: AuditActor;
  /** Null for a command or a schedule. */
  ip: string | null;
  /** Where the new values come from, such as a run's source. */
  source: string;
  now: Date;
}

export const providerChangeAction = 'provider.change';
export const inactive = 'inactive';

/** Entries in one statement, so that its parameters stay below the protocol's limit. */
const entriesPerStatement = 1_000;

function getStatus({ status }: Routing): string {
  return status === 't' ? 'active' : inactive;
}

/** What changed, old and new. Addresses are masked: the audit log has no contact details. A domain is public. */
function buildDetail({ before, after }: ProviderChange, source: string): object {
  return {
    source,
    ...(before.email !== after.email && {
      email: { from: maskEmail(before.email), to: maskEmail(after.email) },
    }),
    ...(before.domain !== after.domain && { domain: { from: before.domain, to: after.domain } }),
    ...(before.status !== after.status && { status: { from: getStatus(before), to: getStatus(after) } }),
  };
}

/** Whether somebody who got a provider's leads gets them no more. */
function isOtherRecipient({ before, after }: ProviderChange): boolean {
  return before.email !== after.email || before.domain !== after.domain || getStatus(after) === inactive;
}

/**
 * Records, for each provider whose email, domain or status changes, who changed what and a message to its former
 * address, in the same transaction. Every change of these columns of an existing provider must call it.
 */
export async function recordProviderChanges(
  tx: Queryable,
  { actor, ip, source, now }: ChangeAuthor,
  changes: readonly ProviderChange[],
): Promise<void> {
  const moved = changes.filter(({ before, after }) => before.email !== after.email);
  if (moved.length > 0) await recordAddressChanges(tx, moved, now);
  await recordProviderAccess(
    tx,
    changes.filter(isOtherRecipient).map(({ id }) => id),
  );
  for (let from = 0; from < changes.length; from += entriesPerStatement)
    await recordAuditOfEach(
      tx,
      { actor, ip, action: providerChangeAction },
      changes.slice(from, from + entriesPerStatement).map((change) => ({
        subject: { kind: 'provider', id: change.id },
        detail: buildDetail(change, source),
      })),
    );
}
