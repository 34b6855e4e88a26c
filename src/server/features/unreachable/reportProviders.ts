import { and, eq, notInArray, sql } from 'drizzle-orm';
import { counted } from '#shared/formats/writing.ts';
import type { Queryable } from '#server/db/connect.ts';
import { type AddressMark, alerts, providers, unreachableProviders } from '#server/db/schema/index.ts';
import { clearAlert, raiseAlert } from '../alerts/alerts.ts';
import { listUnreachableProviders, markedAddress, type UnreachableProvider } from './listUnreachable.ts';

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
