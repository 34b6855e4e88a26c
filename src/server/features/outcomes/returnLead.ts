import { and, eq } from 'drizzle-orm';
import type { Queryable } from '../../db/connect.ts';
import { leads } from '../../db/schema/index.ts';
import { type Match, matchAgain } from '../matching/match.ts';
import { reassignLeads, type RematchLead } from '../leads/reassignLeads.ts';
import { listRefusers, mayBeRematched, type RematchServices } from '../leads/rematchRules.ts';

const notMatched: Match = {
  providerId: null,
  method: 'none',
  reason:
    'Not matched again: it is quarantined, or consent to contact its author is missing, withdrawn or older than 90 days.',
  distanceMiles: null,
};

/**
 * Takes a lead, which the transaction holds locked, from the clinic that said it is out of its area, and gives it to the nearest other one within
 * reach that hasn't said so; where there is none, or its author must not be contacted, to nobody.
 */
export async function returnLead(
  tx: Queryable,
  services: RematchServices,
  { lead, identityKey }: { lead: RematchLead; identityKey: Buffer },
): Promise<void> {
  const { config, zipTable, now } = services;
  const { zip5, zipCode } = lead;
  const [free] = await tx
    .select({ id: leads.id })
    .from(leads)
    .where(and(eq(leads.id, lead.id), mayBeRematched({ now: now(), identityKey })));
  const except = (await listRefusers(tx, [lead.id])).get(lead.id) ?? [];
  const radiusMiles = config.matchRadiusMiles;
  const match =
    free === undefined ? notMatched : await matchAgain(tx, { zip5, zipCode, radiusMiles, zipTable, except });
  const what = match.providerId === null ? 'Returned by' : 'Rematched after';
  const reason = `${what} clinic ${lead.providerId}: wrong area. ${match.reason}`;
  await reassignLeads(tx, services, [{ lead, match: { ...match, reason } }]);
}
