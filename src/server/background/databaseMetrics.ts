import { z } from 'zod';
import { deliveryChannels } from '#shared/admin/deliveries.ts';
import { type Queryable, processTag } from '../db/connect.ts';
import { mainName } from '../db/pool.ts';
import { readRows } from '../db/readRows.ts';
import { readWithTimeout } from '../db/readWithTimeout.ts';
import { withTimeout } from '../db/withTimeout.ts';
import { countAlerts } from '../features/alerts/alerts.ts';
import { readSealBacklog, type SealBacklog } from '../features/consent/consentChain.ts';
import { type ChannelBacklog, readDeliveryBacklog } from '../features/outbox/lease.ts';
import { lastSuccesses } from '../features/sync/runRecords.ts';
import { countDisabled } from '../features/webhooks/endpointStates.ts';
import { gauge, poolSize } from '../metrics.ts';
import type { BaseServices } from '../createServices.ts';

const success = gauge(
  'database_metrics_success',
  '1 if the figures below are of the last 15 seconds; 0 while they cannot be read, and are left out.',
);
const backlog = gauge('delivery_backlog', 'Waiting deliveries; a queue is counted up to 10000.', [
  'channel',
  'state',
]);
const oldestDue = gauge(
  'delivery_oldest_due_seconds',
  'How long the oldest due delivery has been due; 0 if none is.',
  ['channel'],
);
const channelReady = gauge(
  'delivery_channel_ready',
  '1 if this process can send by the channel, 0 if it is not configured and deliveries are held.',
  ['channel'],
);
const disabledEndpoints = gauge('webhook_endpoints_disabled', 'Webhook endpoints that are off, by reason.', [
  'reason',
]);
const openAlerts = gauge('alerts_open', 'Open alerts for staff, by kind.', ['kind']);
const unsealed = gauge('consent_unsealed', 'Consent records without a seal; counted up to 10000.');
const unsealedAge = gauge(
  'consent_unsealed_oldest_seconds',
  'Age of the oldest consent record without a seal; 0 if there is none.',
);
const chainSequence = gauge('consent_chain_sequence', 'Number of the newest seal.');
const lastSync = gauge(
  'sync_last_success_timestamp_seconds',
  'When the newest successful WordPress sync ended; 0: never; absent without WORDPRESS_URL.',
  ['kind'],
);
const connections = gauge(
  'database_connections',
  'Connections of this process in Postgres, by pool and state (active, in_transaction, idle, other).',
  ['pool', 'state'],
);

interface Figures {
  backlogs: readonly ChannelBacklog[];
  disabled: Awaited<ReturnType<typeof countDisabled>>;
  open: Awaited<ReturnType<typeof countAlerts>>;
  seals: SealBacklog;
  syncs: Awaited<ReturnType<typeof lastSuccesses>>;
  own: readonly OwnConnections[];
}

type RequiredServices = Pick<BaseServices, 'config' | 'db' | 'health' | 'channels' | 'log' | 'now'>;

/** Scrapes within this time show the same figures, so that they can't load the database. */
const maxAgeMs = 10_000;
/** Prometheus gives up after ten seconds by default. */
const timeoutMs = 2_000;

/**
 * Returns a function that sets the gauges of what the database contains, for a scrape. It reads at most once per ten
 * seconds and takes two seconds at most. It never rejects: without a database, the gauges are left out.
 */
export function createDatabaseMetrics(services: RequiredServices): () => Promise<void> {
  const { channels, config, db, health, log } = services;
  let figures: Figures | null = null;
  let readAtMs = -Infinity;
  let reading: Promise<void> | null = null;

  const isCurrent = (): boolean => performance.now() - readAtMs < maxAgeMs;

  async function read(): Promise<void> {
    const found = await readFigures(services);
    figures = found;
    readAtMs = performance.now();
  }

  return async () => {
    const mayRead = health.state() !== 'down' && health.stopping?.aborted !== true;
    if (!isCurrent() && mayRead) {
      reading ??= read().finally(() => {
        reading = null;
      });
      await withTimeout(reading, { timeoutMs }).catch((error: unknown) => {
        log.debug({ event: 'metrics.read-failed', err: error }, 'the figures of the database were not read');
      });
    }
    poolSize.set(db.$client.options.max);
    for (const channel of deliveryChannels)
      channelReady.set({ channel }, channels[channel].heldReason() === null ? 1 : 0);
    show(isCurrent() ? figures : null, { hasWordPress: config.wordpressUrl !== null });
  };
}

/** All from one snapshot. Each statement reads a few index entries, and is canceled after two seconds. */
function readFigures({ db, now }: RequiredServices): Promise<Figures> {
  const at = now();
  return readWithTimeout(
    db,
    async (tx) => ({
      backlogs: await readDeliveryBacklog(tx, at),
      disabled: await countDisabled(tx),
      open: await countAlerts(tx),
      seals: await readSealBacklog(tx, at),
      syncs: await lastSuccesses(tx),
      own: await readOwnConnections(tx),
    }),
    { tooLong: 'The figures took too long.', timeoutMs },
  );
}

function show(figures: Figures | null, { hasWordPress }: { hasWordPress: boolean }): void {
  success.set(figures === null ? 0 : 1);
  // Without figures, no series: a zero would look like one.
  for (const metric of [backlog, oldestDue, disabledEndpoints, openAlerts, lastSync, connections])
    metric.reset();
  for (const metric of [unsealed, unsealedAge, chainSequence]) metric.remove();
  if (figures === null) return;
  for (const { channel, queued, held, oldestDueSeconds } of figures.backlogs) {
    backlog.set({ channel, state: 'queued' }, queued);
    backlog.set({ channel, state: 'held' }, held);
    oldestDue.set({ channel }, oldestDueSeconds);
  }
  for (const { reason, count } of figures.disabled) disabledEndpoints.set({ reason }, count);
  for (const { kind, count } of figures.open) openAlerts.set({ kind }, count);
  unsealed.set(figures.seals.unsealed);
  unsealedAge.set(figures.seals.oldestSeconds);
  chainSequence.set(figures.seals.sequence);
  if (hasWordPress)
    for (const { kind, finishedAt } of figures.syncs)
      lastSync.set({ kind }, (finishedAt?.getTime() ?? 0) / 1000);
  for (const { pool, state, count } of figures.own) connections.set({ pool, state }, count);
}

/** Connections of one pool of this process in one state. */
interface OwnConnections {
  /** `main`, or the purpose of a side connection. */
  pool: string;
  state: z.output<typeof namedConnections>['state'];
  count: number;
}

const namedConnections = z.object({
  name: z.string(),
  state: z.enum(['active', 'in_transaction', 'idle', 'other']),
  count: z.number(),
});

/** The connections of this process, as the server sees them: the driver has no figures. */
async function readOwnConnections(db: Queryable): Promise<OwnConnections[]> {
  const rows = await readRows(db, namedConnections)`
    select application_name as name, case when state like 'idle in transaction%' then 'in_transaction'
      when state in ('active', 'idle') then state else 'other' end as state, count(*)::int as count
    from pg_stat_activity where datname = current_database() and application_name like ${`% ${processTag}`}
    group by 1, 2`;
  return rows.map(({ name, state, count }) => {
    const [, purpose = mainName] = /^(.+?) of /.exec(name) ?? [];
    return { pool: purpose, state, count };
  });
}
