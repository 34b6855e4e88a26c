import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { AlertKind } from '#shared/admin/alerts.ts';
import type { Queryable } from '#server/db/connect.ts';
import { readRows } from '#server/db/readRows.ts';
import { providerAlerts } from './messages.ts';
import { clearAlert, listAlertSubjects, raiseAlert } from '../alerts/alerts.ts';

/** Providers with an alert of their own in one run. More are one alert. */
const namedMax = 100;

const problem = z.object({ subject: z.string(), name: z.string(), detail: z.string() });

/** An alert about single providers (`p`), from their staged rows (`i`). */
interface Report {
  kind: AlertKind;
  /** Selects the rows. */
  from: SQL;
  /** What the message says of the provider beside its name. */
  detail: SQL;
  message: (name: string, detail: string) => string;
  /** For those beyond the first hundred. */
  summary: (count: number) => string;
  /** Whether a provider's alert ends. */
  isOver: SQL;
}

const reports: readonly Report[] = [
  {
    kind: 'provider-skipped',
    from: sql`where i.state = 'bad' and p.status = 't'`,
    detail: sql`i.reason`,
    message: providerAlerts.skipped,
    summary: providerAlerts.moreSkipped,
    isOver: sql`p.status = 'f' or exists (select from sync_incoming i where i.wordpress_id = p.wordpress_id and i.state <> 'bad')`,
  },
  {
    kind: 'provider-status-unknown',
    from: sql`where i.state = 'row' and i.reason is not null`,
    detail: sql`i.reason`,
    message: providerAlerts.status,
    summary: providerAlerts.moreUnknown,
    isOver: sql`exists (select from sync_incoming i where i.wordpress_id = p.wordpress_id
      and (i.state = 'gone' or (i.state = 'row' and i.reason is null)))`,
  },
  {
    kind: 'provider-unconfirmed',
    from: sql`join providers l on l.id = i.waits_for_id where i.state = 'row'`,
    detail: sql`l.name`,
    message: providerAlerts.unconfirmed,
    summary: providerAlerts.moreUnconfirmed,
    isOver: sql`p.waits_for_id is null`,
  },
];

/** After a run, names the providers that need staff: skipped, of unknown status, or to confirm. Ends other alerts. */
export async function reportProviders(tx: Queryable, now: Date): Promise<void> {
  for (const one of reports) await report(tx, now, one);
}

async function report(
  tx: Queryable,
  now: Date,
  { kind, from, detail, message, summary, isOver }: Report,
): Promise<void> {
  const found = await readRows(tx, problem)`
    select p.id as subject, p.name, ${detail} as detail
    from sync_incoming i join providers p on p.wordpress_id = i.wordpress_id ${from} order by p.id`;
  for (const one of found.slice(0, namedMax))
    await raiseAlert(tx, { kind, subject: one.subject, message: message(one.name, one.detail), now });
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
