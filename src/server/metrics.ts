import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * Metrics of this process, not in prom-client's global registry. http/metrics.ts serves them. Those of the database are
 * in databaseMetrics.ts, and docs/monitoring.md describes all.
 */
export const registry = new Registry();

export const appInfo = new Gauge({
  name: 'app_info',
  help: 'Always 1: the version of this process, and its mode (web, worker or dev).',
  labelNames: ['version', 'mode'],
  registers: [registry],
});

export const appReady = new Gauge({
  name: 'app_ready',
  help: '1 while GET /readyz of this process succeeds, 0 while it fails.',
  registers: [registry],
});

export const migrationsPending = new Gauge({
  name: 'migrations_pending',
  help: 'Migrations of this version that the database lacks; absent while it does not answer.',
  registers: [registry],
});

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
export const leadsStored = new Counter({
  name: 'leads_stored_total',
  help: 'Leads stored by this process.',
  registers: [registry],
});

/** Increment with `leadsStored`. */
export const leadsMatched = new Counter({
  name: 'leads_matched_total',
  help: 'Leads stored by this process, by how they got their provider (tenant, requested, nearest, none).',
  labelNames: ['method'],
  registers: [registry],
});

/** Increment with `leadsStored`. */
export const leadsQuarantined = new Counter({
  name: 'leads_quarantined_total',
  help: 'Leads that this process stored in quarantine, by reason.',
  labelNames: ['reason'],
  registers: [registry],
});

export const leadsFlooding = new Counter({
  name: 'leads_flooding_total',
  help: 'Leads that this process stored above the limit of a provider or of a phone number, by that limit.',
  labelNames: ['limit'],
  registers: [registry],
});

export const leadsRefused = new Counter({
  name: 'leads_refused_total',
  help: 'Submissions of leads that this process did not store, by the code of the error.',
  labelNames: ['reason'],
  registers: [registry],
});

/** Observe an attempt after it was recorded. */
export const deliverySeconds = new Histogram({
  name: 'delivery_try_duration_seconds',
  help: 'Time a try to deliver a lead took, by channel and outcome.',
  labelNames: ['channel', 'outcome'],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  registers: [registry],
});

export const ledgerUnshipped = new Gauge({
  name: 'erasure_ledger_unshipped',
  help: 'Erasures and suppressions that are not in the shipped ledger yet. Set by workers: use max().',
  registers: [registry],
});

export const ledgerOldestSeconds = new Gauge({
  name: 'erasure_ledger_oldest_unshipped_seconds',
  help: 'Age of the oldest of them, 0 if there is none. Set by workers: use max().',
  registers: [registry],
});

/** Increment when the hourly limit postpones an attempt. */
export const leadEmailCeilingReached = new Counter({
  name: 'lead_email_ceiling_reached_total',
  help: 'Lead emails that this process put off because LEAD_EMAILS_PER_HOUR was reached.',
  registers: [registry],
});

export const syncRuns = new Counter({
  name: 'sync_runs_total',
  help: 'Provider syncs that ended in this process, without dry runs.',
  labelNames: ['source', 'kind', 'outcome'],
  registers: [registry],
});

export const directorySize = new Gauge({
  name: 'tenant_directory_entries',
  help: 'What the directory of clinics holds in memory.',
  labelNames: ['kind'],
  registers: [registry],
});

export const directoryCurrent = new Gauge({
  name: 'tenant_directory_current',
  help: '1 while changes to clinics are heard, 0 while answers may be stale.',
  registers: [registry],
});

/** Increment when a connection that listens for changes was lost. */
export const listenerReconnects = new Counter({
  name: 'listener_reconnects_total',
  help: 'Times the connection that listens for changes was lost and opened again.',
  labelNames: ['channel'],
  registers: [registry],
});

export const maintenanceFailures = new Counter({
  name: 'maintenance_failures_total',
  help: 'Runs of periodic and scheduled work that failed, by task.',
  labelNames: ['task'],
  registers: [registry],
});

export const tasksStalled = new Gauge({
  name: 'background_tasks_stalled',
  help: 'Loops of background work in this process that finished no round for too long.',
  registers: [registry],
});

export const databaseUp = new Gauge({
  name: 'database_up',
  help: '1 while probes of the main database pool return, 0 while they do not.',
  registers: [registry],
});

export const poolReplacements = new Counter({
  name: 'database_pool_replacements_total',
  help: 'Database pools replaced because nothing answered for 30 seconds, by what the pool is for (main: requests).',
  labelNames: ['pool'],
  registers: [registry],
});

/** A probe is a query like any other: it waits for a connection of its pool. */
export const probeSeconds = new Histogram({
  name: 'database_probe_duration_seconds',
  help: 'Time a short query took that probes the pool every 5 seconds, with the wait for a connection.',
  labelNames: ['pool'],
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  registers: [registry],
});

export const poolSize = new Gauge({
  name: 'database_pool_size',
  help: 'Connections that the main database pool may open (DATABASE_POOL_MAX).',
  registers: [registry],
});
