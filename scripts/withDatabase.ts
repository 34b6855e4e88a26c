import { existsSync } from 'node:fs';
import { type Config, ConfigError, parseConfig } from '#server/config/config.ts';
import { startEmbedded } from './embeddedPostgres/start.ts';
import { toStartFault } from '#server/db/startFault.ts';
import { AppError, toAppError } from '#server/errors.ts';
import { safeMessage } from '#server/log.ts';

interface OpenDatabase {
  /** Of the application's role, without a proxy that pools transactions: commands use session locks. */
  url: string;
  config: Config;
}

/**
 * Postgres's classes for what connecting and preparing may fail on; other errors of a command are its own and say more.
 */
const connectionStates = /^(?:28|3D|42501|57P|53|25006)/;

/** Whether an error is about reaching the database or being let in, rather than about the command's work. */
function isOfConnection(error: unknown): boolean {
  if (error instanceof AppError) return false;
  if (toAppError(error).code === 'SERVICE_UNAVAILABLE') return true;
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string')
      return connectionStates.test(at.code) || at.code.startsWith('ERR_TLS') || /CERT/.test(at.code);
  return false;
}

/**
 * Does work on the database of a URL. If the database can't be reached, throws a sentence that names the variable of
 * the URL.
 */
export async function naming<T>(
  { url, variable }: { url: string; variable: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isOfConnection(error) ? toStartFault(error, url, variable) : error;
  }
}

/** Postgres's name for a missing table. */
const undefinedTable = '42P01';

/** What to print for a fault of a command. */
function toSentence(error: unknown): unknown {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if ('code' in at && at.code === undefinedTable)
      return `The database has no tables of this product (${at.message}). Is DATABASE_URL set, and to the right database? npm run db:migrate creates the tables.`;
  return error instanceof Error ? safeMessage(error) : error;
}

/**
 * Runs a command's work on the configured database: DATABASE_DIRECT_URL, DATABASE_URL, else the embedded one, which is
 * started, or adopted where it runs. Reads `.env` when there is one. A fault is printed as its sentence and ends the
 * command with status 1.
 */
export async function withDatabase(work: (database: OpenDatabase) => Promise<void>): Promise<void> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    const config = parseConfig(process.env);
    const { databaseUrl, databaseDirectUrl } = config;
    const url = databaseDirectUrl ?? databaseUrl;
    if (url !== null) {
      const variable = databaseDirectUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
      await naming({ url, variable }, () => work({ url, config }));
      return;
    }
    const embedded = await startEmbedded({ dataDir: config.dataDir });
    try {
      await work({ url: embedded.url, config });
    } finally {
      await embedded.stop();
    }
  } catch (error) {
    console.error(toSentence(error));
    if (error instanceof ConfigError) console.error('Every variable is explained in .env.example.');
    process.exitCode = 1;
  }
}
