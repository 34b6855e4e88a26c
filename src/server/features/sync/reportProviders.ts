import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { AlertKind } from '#shared/admin/alerts.ts';
import type { Queryable } from '#server/db/connect.ts';
import { readRows } from '#server/db/readRows.ts';
import { providerAlerts } from './messages.ts';
import { clearAlert, listAlertSubjects, raiseAlert } from '../alerts/alerts.ts';

/** Providers with an alert of their own in one run. More are one alert. */
const namedMax = 100;

interface Reported {
  /** The provider's id. */
  subject: string;
  message: string;
}

const refused = z.object({ id: z.string(), name: z.string(), reason: z.string() });
const confusable = z.object({ id: z.string(), name: z.string(), other: z.string() });

/**
 * After the changes of a run are written, names the providers that need staff: active ones whose row was skipped, ones
 * whose status nobody knows, and ones that wait until staff confirm them. Ends the alerts of those that don't any more.
 */
export async function reportProviders(tx: Queryable, now: Date): Promise<void> {
  const skipped = await readRows(tx, refused)`
    select p.id, p.name, i.reason from sync_incoming i join providers p on p.wordpress_id = i.wordpress_id
    where i.state = 'bad' and p.status = 't' order by p.id`;
  await report(tx, now, {
    kind: 'provider-skipped',
    found: skipped.map(({ id, name, reason }) => ({
      subject: id,
      message: providerAlerts.skipped(name, reason),
    })),
    summary: providerAlerts.moreSkipped,
    isOver: sql`p.status = 'f' or exists (select from sync_incoming i where i.wordpress_id = p.wordpress_id and i.state <> 'bad')`,
  });
  const unknown = await readRows(tx, refused)`
    select p.id, p.name, i.reason from sync_incoming i join providers p on p.wordpress_id = i.wordpress_id
    where i.state = 'row' and i.reason is not null order by p.id`;
  await report(tx, now, {
    kind: 'provider-status-unknown',
    found: unknown.map(({ id, name, reason }) => ({
      subject: id,
      message: providerAlerts.status(name, reason),
    })),
    summary: providerAlerts.moreUnknown,
    isOver: sql`exists (select from sync_incoming i where i.wordpress_id = p.wordpress_id
      and (i.state = 'gone' or (i.state = 'row' and i.reason is null)))`,
  });
  const waiting = await readRows(tx, confusable)`
    select p.id, p.name, l.name as other
    from sync_incoming i join providers p on p.wordpress_id = i.wordpress_id join providers l on l.id = i.waits_for_id
    where i.state = 'row' order by p.id`;
  await report(tx, now, {
    kind: 'provider-unconfirmed',
    found: waiting.map(({ id, name, other }) => ({
      subject: id,
      message: providerAlerts.unconfirmed(name, other),
    })),
    summary: providerAlerts.moreUnconfirmed,
    isOver: sql`p.waits_for_id is null`,
  });
}

interface Report {
  kind: AlertKind;
  found: readonly Reported[];
  /** For those beyond the first hundred. */
  summary: (count: number) => string;
  /** Of a provider (`p`): whether its alert ends. */
  isOver: ReturnType<typeof sql>;
}

async function report(tx: Queryable, now: Date, { kind, found, summary, isOver }: Report): Promise<void> {
  for (const { subject, message } of found.slice(0, namedMax))
    await raiseAlert(tx, { kind, subject, message, now });
  const more = found.length - namedMax;
  if (more > 0) await raiseAlert(tx, { kind, message: summary(more), now });
  const open = await listAlertSubjects(tx, kind);
  if (open.length === 0) return;
  const kept = await readRows(tx, z.object({ id: z.string() }))`
    select p.id from providers p where p.id = any(string_to_array(${open.filter((subject) => subject !== '').join()}, ',')::bigint[])
      and not (${isOver})`;
  const ids = new Set(kept.map(({ id }) => id));
  const ended = open.filter((subject) => (subject === '' ? more <= 0 && ids.size === 0 : !ids.has(subject)));
  for (const subject of ended) await clearAlert(tx, { kind, subject });
}
