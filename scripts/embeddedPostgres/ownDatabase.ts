import type { Config } from '#server/config/config.ts';
import type { Log } from '#server/log.ts';
import type { OwnDatabase } from '#server/serve.ts';
import { startEmbedded } from './start.ts';

/** The embedded Postgres under DATA_DIR, for `npm start` and `npm run dev` without DATABASE_URL. */
export async function startOwnDatabase({ dataDir }: Config, log: Log): Promise<OwnDatabase> {
  const { url, location, adopted, stop } = await startEmbedded({ dataDir, log });
  return {
    url,
    description: `embedded Postgres in ${location}${adopted ? ' (already running)' : ''}`,
    stop,
  };
}
