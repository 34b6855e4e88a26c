import type { Sql } from '#server/db/connect.ts';
import type { FaultyMailServer } from './faultyMailServer.ts';

interface MailRow {
  id: string;
  lead_id: string;
  channel: 'lead-email' | 'provider-email';
  state: string;
  reason: string | null;
  address: string;
}

/** What became of the mails about some leads. */
export interface MailFindings {
  /** Messages that arrived, and how many times one came again under the Message-ID it had. */
  lead: number;
  provider: number;
  repeats: number;
  /** What isn't as it should be, in sentences. */
  faults: string[];
}

/**
 * Of leads that all have a provider: whether each message to a lead and to its provider was taken at least once, under the
 * one Message-ID that is its delivery's, by whom it is for.
 */
export async function mailFindings(
  sql: Sql,
  leads: number,
  { taken }: FaultyMailServer,
): Promise<MailFindings> {
  const rows = await sql<MailRow[]>`
    select d.id, d.lead_id, d.channel, d.state, d.reason, case d.channel when 'lead-email' then l.email else p.email end as address
    from deliveries d join leads l on l.id = d.lead_id left join providers p on p.id = d.provider_id
    where d.channel in ('lead-email', 'provider-email')`;
  const byDelivery = new Map(
    [...taken].map(([messageId, mail]) => [/^<([^@]+)@/.exec(messageId)?.[1] ?? messageId, mail]),
  );
  const of = (channel: MailRow['channel']): MailRow[] => rows.filter((row) => row.channel === channel);
  const arrived = (channel: MailRow['channel']): number =>
    of(channel).filter(({ id }) => byDelivery.has(id)).length;
  const known = new Set(rows.map(({ id }) => id));
  return {
    lead: arrived('lead-email'),
    provider: arrived('provider-email'),
    repeats: [...taken.values()].reduce((sum, { times }) => sum + times - 1, 0),
    faults: [
      ...(['lead-email', 'provider-email'] as const)
        .filter((channel) => of(channel).length !== leads)
        .map((channel) => `${leads} of ${channel} were due, ${of(channel).length} are there`),
      ...rows
        .filter(({ state }) => state !== 'delivered')
        .map((row) => `${row.channel} of lead ${row.lead_id} is ${row.state}: ${row.reason ?? ''}`),
      ...rows
        .filter(({ id }) => !byDelivery.has(id))
        .map((row) => `${row.channel} of lead ${row.lead_id} never arrived`),
      ...rows
        .filter(({ id, address }) => byDelivery.has(id) && byDelivery.get(id)?.to !== address)
        .map((row) => `${row.channel} of lead ${row.lead_id} went to another address`),
      ...[...byDelivery.keys()].filter((id) => !known.has(id)).map((id) => `nobody knows of message ${id}`),
    ],
  };
}
