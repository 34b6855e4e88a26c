import { z } from 'zod';
import { runMessages } from './messages.ts';
import type { Queryable } from '#server/db/connect.ts';
import { readRow } from '#server/db/readRows.ts';
import { inactive, providerChangeAction } from '../providers/providerChanges.ts';
import type { Differences } from './differences.ts';
import { RunRefused } from './source.ts';

/** Throws RunRefused if more than `limitPercent` of the active synced providers would be lost. */
export function guardAgainstLoss(gone: number, active: number, limitPercent: number): void {
  if (gone * 100 > active * limitPercent)
    throw new RunRefused(runMessages.tooManyGone(gone, active, limitPercent));
}

/**
 * Throws RunRefused if more than `limitPercent` of the active synced providers with a domain would lose it: the feed
 * lacks the field.
 */
export function guardAgainstLostDomains(losing: number, having: number, limitPercent: number): void {
  if (losing * 100 > having * limitPercent)
    throw new RunRefused(runMessages.tooManyDomains(losing, having, limitPercent));
}

/**
 * The same for a push. A script sends its providers in many requests, so what pushes of the last hour took away counts
 * with it, unless it came back. A single provider may always be deactivated, or lose its domain, however few there are.
 */
export async function guardPush(
  tx: Queryable,
  { deactivated, active, losingDomain, withDomain }: Differences,
  limitPercent: number,
): Promise<void> {
  if (deactivated === 0 && losingDomain === 0) return;
  const earlier = await countEarlierLosses(tx);
  const gone = deactivated + earlier.deactivated;
  const losing = losingDomain + earlier.domains;
  if (deactivated > 0 && gone > 1) guardAgainstLoss(gone, active + earlier.deactivated, limitPercent);
  if (losingDomain > 0 && losing > 1)
    guardAgainstLostDomains(losing, withDomain + earlier.domains, limitPercent);
}

/** What pushes of the last hour took away and is still gone, apart from what this push changes (`sync_changes`). */
function countEarlierLosses(tx: Queryable): Promise<{ deactivated: number; domains: number }> {
  return readRow(tx, z.object({ deactivated: z.number(), domains: z.number() }))`
    with changed as materialized (
      select subject_id::bigint as id, detail -> 'status' ->> 'to' = ${inactive} as is_end,
        detail ? 'domain' and detail -> 'domain' ->> 'to' is null as loses_domain
      from audit_log where action = ${providerChangeAction} and at > now() - interval '1 hour' and detail ->> 'source' = 'api'
    )
    select count(distinct p.id) filter (where is_end and p.status = 'f')::int as deactivated,
      count(distinct p.id) filter (where loses_domain and p.status = 't' and p.domain is null)::int as domains
    from changed join providers p on p.id = changed.id
    where p.wordpress_id is not null and not exists (select from sync_changes c where c.id = p.id)`;
}
