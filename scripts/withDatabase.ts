import { existsSync } from 'node:fs';
import { type Config, ConfigError, parseConfig } from '#server/config.ts';
import { startEmbedded } from '#server/db/embedded.ts';
import { safeMessage } from '#server/log.ts';

interface OpenDatabase {
  url: string;
  config: Config;
}

/**
 * Runs a command's work on the configured database: DATABASE_URL, else the embedded one, which is started (or joined) and left again. Reads
 * `.env` when there is one. A fault is printed as its sentence and ends the command with status 1.
 */
export async function withDatabase(work: (database: OpenDatabase) => Promise<void>): Promise<void> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    const config = parseConfig(process.env);
    if (config.databaseUrl !== null) {
      await work({ url: config.databaseUrl, config });
      return;
    }
    const embedded = await startEmbedded({ dataDir: config.dataDir });
    try {
      await work({ url: embedded.url, config });
    } finally {
      await embedded.stop();
    }
  } catch (error) {
    console.error(error instanceof Error ? safeMessage(error) : error);
    if (error instanceof ConfigError) console.error('Every variable is explained in .env.example.');
    process.exitCode = 1;
  }
}
