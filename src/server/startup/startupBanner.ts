import { asc, desc, eq, sql } from 'drizzle-orm';
import { paths } from '#shared/pages/paths.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/connect.ts';
import { providers } from '../db/schema/index.ts';
import { localHost } from '../tenant/localSites.ts';

interface StartSummary {
  mode: string;
  config: Config;
  /** Null if a password is configured: it isn't printed. */
  adminPassword: string | null;
  db: Database;
  /** Where it is. */
  database: string;
  applied: number;
  seeded: number;
  readyMs: number;
}

/** Prints what was started and where to look. Development only; production writes one JSON line. */
export async function printBanner({
  mode,
  config,
  adminPassword,
  db,
  database,
  applied,
  seeded,
  readyMs,
}: StartSummary): Promise<void> {
  const isLocal = sql`coalesce(${providers.domain} like '%.localhost', false)`;
  const local = await db
    .select({ name: providers.name, domain: providers.domain })
    .from(providers)
    .where(eq(providers.status, 't'))
    .orderBy(desc(isLocal), asc(providers.id))
    .limit(3);
  const hosts = local.map(({ name, domain }) =>
    domain?.endsWith('.localhost') === true ? domain : localHost(name),
  );
  const done = [
    applied > 0 ? `${applied} migrations applied` : 'migrations up to date',
    seeded > 0 ? `${seeded} sample providers added` : 'data kept',
  ];
  const lines = [
    '',
    `Ready in ${(readyMs / 1000).toFixed(1)} s (${mode}). Database: ${database}; ${done.join(', ')}.`,
    '',
  ];
  if (mode !== 'worker') {
    lines.push(`  Main site      http://localhost:${config.port}`);
    for (const host of hosts) lines.push(`  Provider site  http://${host}:${config.port}`);
    const password = adminPassword === null ? '' : `  password ${adminPassword}`;
    lines.push(`  Dashboard      http://localhost:${config.port}${paths.admin}${password}`);
    lines.push(`  API            http://localhost:${config.port}/api/docs`);
  }
  lines.push('', 'Stop with Ctrl-C.', '');
  process.stdout.write(`${lines.join('\n')}\n`);
}
