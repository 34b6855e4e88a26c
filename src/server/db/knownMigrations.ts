import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url));

const journal = z.object({ entries: z.array(z.object({ when: z.number() })) });

/** The migrations of this version by their times (milliseconds since 1970), which `drizzle.__drizzle_migrations` holds as `created_at`. */
export function readKnownMigrations(): number[] {
  const text = readFileSync(`${migrationsFolder}/meta/_journal.json`, 'utf8');
  return journal.parse(JSON.parse(text)).entries.map(({ when }) => when);
}
