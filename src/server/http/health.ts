import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type Koa from 'koa';
import { z } from 'zod';
import type { AppState } from '../tenant/tenant.ts';
import type { Services } from '../trpc/context.ts';

/** A load balancer gives up on a probe after a few seconds; answering late is answering no. */
const probeTimeoutMs = 2_000;

const journal = z.object({ entries: z.array(z.object({ when: z.number() })) });
const appliedRows = z.array(z.object({ applied: z.coerce.number() }));

type Readiness = 'ok' | 'database' | 'migrations';

/** What keeps the process from serving: the database doesn't answer, or lacks migrations that this version needs. */
async function readiness({ db }: Pick<Services, 'db'>, newestMigration: number): Promise<Readiness> {
  const applied = db.execute(
    sql`select coalesce(max(created_at), 0) as applied from drizzle.__drizzle_migrations`,
  );
  const late = delay(probeTimeoutMs, null, { ref: false });
  const rows = await Promise.race([applied, late]).catch((error: unknown) =>
    isMissingTable(error) ? [] : null,
  );
  if (rows === null) return 'database';
  const [row] = appliedRows.parse([...rows]);
  return row !== undefined && row.applied >= newestMigration ? 'ok' : 'migrations';
}

function isMissingTable(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && (cause.code === '42P01' || cause.code === '3F000');
}

/** `GET /healthz`: the process runs. `GET /readyz`: it can serve, 503 with what is missing otherwise. Neither needs a valid host. */
export function health({ services }: { services: Pick<Services, 'db'> }): Koa.Middleware<AppState> {
  const file = new URL('../../../migrations/meta/_journal.json', import.meta.url);
  const newestMigration = Math.max(
    0,
    ...journal.parse(JSON.parse(readFileSync(file, 'utf8'))).entries.map(({ when }) => when),
  );
  /** Anyone may ask, as often as they like: those who ask at once share one query. */
  let asking: Promise<Readiness> | null = null;
  function ask(): Promise<Readiness> {
    return (asking ??= readiness(services, newestMigration).finally(() => {
      asking = null;
    }));
  }

  async function answer(ctx: Koa.Context): Promise<void> {
    const missing = ctx.path === '/healthz' ? 'ok' : await ask();
    ctx.set('Cache-Control', 'no-store');
    ctx.status = missing === 'ok' ? 200 : 503;
    if (missing !== 'ok') ctx.set('Retry-After', '5');
    ctx.body = missing === 'ok' ? { status: 'ok' } : { status: 'unavailable', missing };
  }

  return (ctx, next) => {
    const isProbe = ctx.path === '/healthz' || ctx.path === '/readyz';
    return isProbe && (ctx.method === 'GET' || ctx.method === 'HEAD') ? answer(ctx) : next();
  };
}
