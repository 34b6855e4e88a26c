import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type Koa from 'koa';
import { z } from 'zod';
import type { DatabaseHealth } from '../db/poolWatchdog.ts';
import { hasCode } from '../errors.ts';
import type { AppMiddleware } from '../tenant/tenant.ts';
import type { Services } from '../services.ts';
import { version } from '../version.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config/config.ts';

/** A load balancer gives up on a probe after a few seconds, so a late response counts as a failure. */
const probeTimeoutMs = 2_000;

const appliedRows = z.array(z.object({ applied: z.coerce.number(), unknown: z.coerce.number() }));

/** Why a process is not ready, with a message for the operator. */
const sentences = {
  database: 'Postgres does not answer.',
  migrations: 'The database lacks migrations that this version needs.',
  stopping: 'The process is stopping.',
  stalled: 'Background work of this process hangs: restart it.',
} as const;

/** A newer version's migrations only add (docs/upgrade.md): during an upgrade, this version goes on serving. */
const newerSchema =
  "The database has migrations that this version doesn't know: a newer version migrated it.";

type Missing = keyof typeof sentences;

interface Readiness {
  /** Null if the process is ready. */
  missing: Missing | null;
  /** Set for a schema that a newer version migrated. */
  schema?: 'newer';
}

/** The migrations in the database, compared with those of this version. */
interface SchemaState {
  pending: number;
  unknown: number;
}

/** SQLSTATE of a missing table or schema. */
const missingTable = new Set(['42P01', '3F000']);

/** Null: the database does not respond. */
async function readSchema(
  { db }: Pick<Services, 'db'>,
  known: readonly string[],
): Promise<SchemaState | null> {
  const names = sql`(${sql.join(
    known.map((name) => sql`${name}`),
    sql`, `,
  )})`;
  const applied = db.execute(sql`
    select count(*) filter (where name in ${names}) as applied, count(*) filter (where name not in ${names}) as unknown
    from schema_migrations`);
  const late = delay(probeTimeoutMs, null, { ref: false });
  const rows = await Promise.race([applied, late]).catch((error: unknown) =>
    hasCode(error, missingTable) ? [] : null,
  );
  if (rows === null) return null;
  const [row = { applied: 0, unknown: 0 }] = appliedRows.parse([...rows]);
  return { pending: known.length - row.applied, unknown: row.unknown };
}

export type Checks = ReturnType<typeof createChecks>;

export interface CheckOptions {
  services: Pick<Services, 'db'>;
  knownMigrations: readonly string[];
  /** Whether the process is stopping. Both probes then fail, so that it gets no new requests. */
  isStopping?: () => boolean;
  /** Whether background work hangs. Only for a process that does nothing else: a web process still serves. */
  isStalled?: () => boolean;
}

/** What a process knows of its own state, for the probes and for the metrics. */
export function createChecks({
  services,
  knownMigrations: known,
  isStopping = () => false,
  isStalled = () => false,
}: CheckOptions) {
  /** Anyone may call it at any rate: concurrent calls share one query. */
  let asking: Promise<SchemaState | null> | null = null;
  function ask(): Promise<SchemaState | null> {
    return (asking ??= readSchema(services, known).finally(() => {
      asking = null;
    }));
  }
  return {
    /** Why it should get no new requests or be restarted; null: it is alive. */
    alive(): Missing | null {
      if (isStopping()) return 'stopping';
      return isStalled() ? 'stalled' : null;
    },
    /** Whether the database responds and has this version's migrations. */
    async ready(): Promise<Readiness> {
      if (isStopping()) return { missing: 'stopping' };
      const schema = await ask();
      if (schema === null) return { missing: 'database' };
      if (schema.pending > 0) return { missing: 'migrations' };
      return schema.unknown > 0 ? { missing: null, schema: 'newer' } : { missing: null };
    },
    /** Migrations that the database lacks; null: it does not respond. */
    pendingMigrations: async (): Promise<number | null> => (await ask())?.pending ?? null,
  };
}

/** The watchdog's results as JSON. A database without a watchdog has no pools. */
function report(watched: DatabaseHealth) {
  return {
    state: watched.state(),
    poolReplacements: watched.replacements(),
    pools: watched.pools().map(({ name, state, silentMs, replacements }) => ({
      name,
      state,
      silentSeconds: Number.isFinite(silentMs) ? Math.round(silentMs / 100) / 10 : null,
      replacements,
    })),
  };
}

/**
 * `GET /healthz`: the process runs, is not stopping, and a worker's loops make progress, whatever the database does.
 * `GET /readyz`: everything works, also the database and its migrations. Otherwise 503. Needs no valid host. Only
 * operators (`isOperator`) read why, the version and the pools' state.
 */
export function health({
  services,
  checks,
}: {
  services: Pick<Services, 'config' | 'health'>;
  checks: Checks;
}): AppMiddleware {
  async function answer(ctx: Koa.Context): Promise<void> {
    const isReady = ctx.path === '/readyz';
    const { missing, schema }: Readiness = isReady ? await checks.ready() : { missing: checks.alive() };
    ctx.set('Cache-Control', 'no-store');
    ctx.status = missing === null ? 200 : 503;
    if (missing !== null) ctx.set('Retry-After', '5');
    const status = missing === null ? 'ok' : 'unavailable';
    if (!isOperator(ctx, services.config)) {
      ctx.body = { status };
      return;
    }
    ctx.body = {
      status,
      ...(missing === null
        ? { ...(schema === undefined ? {} : { schema, note: newerSchema }) }
        : { missing, reason: sentences[missing] }),
      ...(isReady ? { database: report(services.health) } : { version }),
    };
  }

  return (ctx, next) => {
    const isProbe = ctx.path === '/healthz' || ctx.path === '/readyz';
    return isProbe && (ctx.method === 'GET' || ctx.method === 'HEAD') ? answer(ctx) : next();
  };
}

type Context = Pick<Koa.Context, 'get' | 'req'>;

function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Whether a request has the metrics token; null if it has no token, or none is configured. */
export function hasMetricsToken(
  ctx: Context,
  { metricsToken }: Pick<Config, 'metricsToken'>,
): boolean | null {
  const [, bearer] = /^Bearer (\S+)$/i.exec(ctx.get('Authorization')) ?? [];
  return bearer === undefined || metricsToken === null ? null : sameSecret(bearer, metricsToken);
}

/** Any of these shows that a proxy on this machine forwarded the request. */
const proxyHeaders = [
  'X-Forwarded-For',
  'X-Forwarded-Proto',
  'X-Forwarded-Host',
  'Forwarded',
  'Via',
  'X-Real-IP',
];

/** Whether a request comes from this machine, and not through a proxy on it. */
export function isDirect(ctx: Context): boolean {
  const { remoteAddress } = ctx.req.socket;
  return (
    remoteAddress !== undefined &&
    ipaddr.process(remoteAddress).range() === 'loopback' &&
    proxyHeaders.every((name) => ctx.get(name) === '')
  );
}

/** Whether the details of a probe are for this request: it has the token, or comes from this machine without one. */
export function isOperator(ctx: Context, config: Pick<Config, 'metricsToken'>): boolean {
  return hasMetricsToken(ctx, config) ?? isDirect(ctx);
}
