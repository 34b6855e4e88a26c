import { and, eq, isNotNull, or, type SQL, sql, type SQLWrapper, notInArray } from 'drizzle-orm';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import type { Queryable } from '#server/db/connect.ts';
import { type AddressMark, providers, unreachableProviders, alerts } from '#server/db/schema/index.ts';
import { waitingOfEach } from '../outbox/unreachableHolds.ts';
import { counted } from '#shared/formats/writing.ts';
import { clearAlert, raiseAlert } from '../alerts/alerts.ts';

/** A provider that gets no email, or whose earlier ones were not sent. */
interface UnreachableProvider {
  id: number;
  name: string;
  /** Null: the mark has ended, and leads that waited too long were not sent. */
  mark: AddressMark | null;
  /** Leads whose emails wait. */
  waiting: number;
  /** Since when the oldest has waited. */
  waitingSince: Date | null;
}

/** The providers with a marked address or waiting emails that match, by id. */
async function listUnreachableProviders(db: Queryable, condition?: SQL): Promise<UnreachableProvider[]> {
  const waiting = waitingOfEach(db);
  const rows = await db
    .select({
      id: providers.id,
      name: sql<string>`coalesce(nullif(${providers.practiceName}, ''), ${providers.name})`,
      mark: unreachableProviders,
      waiting: waiting.leads,
      waitingSince: waiting.since,
    })
    .from(providers)
    .leftJoin(unreachableProviders, eq(unreachableProviders.address, markedAddress(providers.email)))
    .leftJoin(waiting, eq(waiting.providerId, providers.id))
    .where(and(or(isNotNull(unreachableProviders.address), isNotNull(waiting.providerId)), condition))
    .orderBy(providers.id);
  return rows.map((row) => ({ ...row, waiting: row.waiting ?? 0 }));
}

/** What staff see of these providers, by their ids. */
export async function listUnreachable(
  db: Queryable,
  condition?: SQL,
): Promise<Map<number, AdminProvider['unreachable']>> {
  const rows = await listUnreachableProviders(db, condition);
  return new Map(
    rows.map(({ id, mark, waiting, waitingSince }) => [
      id,
      {
        cause: mark?.cause ?? null,
        reason: mark?.reason ?? null,
        since: mark?.since.toISOString() ?? null,
        waiting,
        waitingSince: waitingSince?.toISOString() ?? null,
        acceptedAt: mark?.acceptedAt?.toISOString() ?? null,
      },
    ]),
  );
}

/**
 * The form in which addresses of providers are marked and compared. Computed by Postgres only, so that a mark applies
 * to whichever providers have the address now, however it got into their records.
 */
export function markedAddress(email: SQLWrapper | string): SQL<string> {
  const typed = typeof email === 'string' ? sql`${email}::text` : email;
  return sql<string>`lower(btrim(${typed}))`;
}

const kind = 'provider-unreachable' as const;

/** `2026-11-21 14:05 UTC` */
function timeText(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function buildMessage(provider: UnreachableProvider, { reason, since }: AddressMark): string {
  const { name, waiting } = provider;
  const verb = waiting === 1 ? 'waits' : 'wait';
  return `${name} has received no email since ${timeText(since)}: ${counted(waiting, 'lead')} ${verb}. ${reason} Call the clinic and correct its address, or press “Send again” in the Providers tab.`;
}

/** Raises the alerts of the active providers with a marked address, or brings them up to date. */
export async function reportProviders(
  tx: Queryable,
  { address }: Pick<AddressMark, 'address'>,
  now: Date,
): Promise<void> {
  const isOfAddress = and(eq(unreachableProviders.address, address), eq(providers.status, 't'));
  for (const provider of await listUnreachableProviders(tx, isOfAddress))
    if (provider.mark !== null)
      await raiseAlert(tx, {
        kind,
        subject: String(provider.id),
        message: buildMessage(provider, provider.mark),
        now,
      });
}

/** Ends the alerts of providers whose address isn't marked any more. */
export async function clearEndedAlerts(tx: Queryable): Promise<void> {
  const marked = tx
    .select({ subject: sql<string>`${providers.id}::text` })
    .from(providers)
    .innerJoin(unreachableProviders, eq(unreachableProviders.address, markedAddress(providers.email)))
    .where(eq(providers.status, 't'));
  const ended = await tx
    .select({ subject: alerts.subject })
    .from(alerts)
    .where(and(eq(alerts.kind, kind), notInArray(alerts.subject, marked)));
  for (const { subject } of ended) await clearAlert(tx, { kind, subject });
}
