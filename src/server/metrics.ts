import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** This process's metrics, outside prom-client's global registry. docs/monitoring.md describes all metrics. */
export const registry = new Registry();

export function gauge<Label extends string = never>(name: string, help: string, labelNames: Label[] = []) {
  return new Gauge<Label>({ name, help, labelNames, registers: [registry] });
}

function counter<Label extends string = never>(name: string, help: string, labelNames: Label[] = []) {
  return new Counter<Label>({ name, help, labelNames, registers: [registry] });
}

export const appInfo = gauge(
  'app_info',
  'Always 1: the version of this process, and its mode (web, worker or dev).',
  ['version', 'mode'],
);

export const appReady = gauge('app_ready', '1 while GET /readyz of this process succeeds, 0 while it fails.');

export const migrationsPending = gauge(
  'migrations_pending',
  'Migrations of this version that the database lacks; absent while it does not answer.',
);

// prom-client's own metrics leave it out.
registry.registerMetric(
  new Gauge({
    name: 'nodejs_heap_size_limit_bytes',
    help: 'Bytes that the JavaScript heap may grow to.',
    registers: [],
    collect() {
      this.set(getHeapStatistics().heap_size_limit);
    },
  }),
);

export const requestSeconds = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to the end of its answer.',
  labelNames: ['route', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers: [registry],
});

/** Responses by where the page came from. Plain numbers, since a page from memory takes microseconds. */
export const pagesServed = { stored: 0, template: 0, rendered: 0 };

registry.registerMetric(
  new Counter({
    name: 'page_cache_requests_total',
    help: 'Pages by source: stored (sent from memory), template (filled in), rendered.',
    labelNames: ['source'],
    registers: [],
    collect() {
      this.reset();
      for (const [source, count] of Object.entries(pagesServed)) this.inc({ source }, count);
    },
  }),
);

/** Increment after the transaction of a lead has committed. */
export const leadsStored = counter('leads_stored_total', 'Leads stored by this process.');

/** Increment with `leadsStored`. */
export const leadsMatched = counter(
  'leads_matched_total',
  'Leads stored by this process, by how they got their provider (tenant, requested, nearest, none).',
  ['method'],
);

/** Increment with `leadsStored`. */
export const leadsQuarantined = counter(
  'leads_quarantined_total',
  'Leads that this process stored in quarantine, by reason.',
  ['reason'],
);

export const leadsFlooding = counter(
  'leads_flooding_total',
  'Leads that this process stored above the limit of a provider or of a phone number, by that limit.',
  ['limit'],
);

export const leadsRefused = counter(
  'leads_refused_total',
  'Submissions of leads that this process did not store, by the code of the error.',
  ['reason'],
);

/** Observe an attempt after it was recorded. */
export const deliverySeconds = new Histogram({
  name: 'delivery_try_duration_seconds',
  help: 'Time a try to deliver a lead took, by channel and outcome.',
  labelNames: ['channel', 'outcome'],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  registers: [registry],
});

export const ledgerUnshipped = gauge(
  'erasure_ledger_unshipped',
  'Erasures and suppressions that are not in the shipped ledger yet. Set by workers: use max().',
);

export const ledgerOldestSeconds = gauge(
  'erasure_ledger_oldest_unshipped_seconds',
  'Age of the oldest of them, 0 if there is none. Set by workers: use max().',
);

/** Increment when the hourly limit postpones an attempt. */
export const leadEmailCeilingReached = counter(
  'lead_email_ceiling_reached_total',
  'Lead emails that this process put off because LEAD_EMAILS_PER_HOUR was reached.',
);

export const syncRuns = counter(
  'sync_runs_total',
  'Provider syncs that ended in this process, without dry runs.',
  ['source', 'kind', 'outcome'],
);

export const directorySize = gauge(
  'tenant_directory_entries',
  'What the directory of clinics holds in memory.',
  ['kind'],
);

export const directoryCurrent = gauge(
  'tenant_directory_current',
  '1 while changes to clinics are heard, 0 while answers may be stale.',
);

/** Increment when a connection that listens for changes was lost. */
export const listenerReconnects = counter(
  'listener_reconnects_total',
  'Times the connection that listens for changes was lost and opened again.',
  ['channel'],
);

export const maintenanceFailures = counter(
  'maintenance_failures_total',
  'Runs of periodic and scheduled work that failed, by task.',
  ['task'],
);

export const tasksStalled = gauge(
  'background_tasks_stalled',
  'Loops of background work in this process that finished no round for too long.',
);

export const databaseUp = gauge(
  'database_up',
  '1 while probes of the main database pool return, 0 while they do not.',
);

export const poolReplacements = counter(
  'database_pool_replacements_total',
  'Database pools replaced because nothing answered for 30 seconds, by what the pool is for (main: requests).',
  ['pool'],
);

/** A probe is a query like any other: it waits for a connection of its pool. */
export const probeSeconds = new Histogram({
  name: 'database_probe_duration_seconds',
  help: 'Time a short query took that probes the pool every 5 seconds, with the wait for a connection.',
  labelNames: ['pool'],
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  registers: [registry],
});

export const poolSize = gauge(
  'database_pool_size',
  'Connections that the main database pool may open (DATABASE_POOL_MAX).',
);
