import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of this process, not in prom-client's global registry. http/metrics.ts serves them. */
export const registry = new Registry();

export const requestSeconds = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to the end of its answer.',
  labelNames: ['route', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers: [registry],
});

/** Increment after the transaction of a lead has committed. */
export const leadsStored = new Counter({
  name: 'leads_stored_total',
  help: 'Leads stored by this process.',
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

/** Increment when the hourly limit postpones an attempt. */
export const leadEmailCeilingReached = new Counter({
  name: 'lead_email_ceiling_reached_total',
  help: 'Lead emails that this process put off because LEAD_EMAILS_PER_HOUR was reached.',
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
