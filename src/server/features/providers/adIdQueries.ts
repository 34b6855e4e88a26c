import { and, eq } from 'drizzle-orm';
import { type AdIds, validAdIds } from '#shared/providers/adIds.ts';
import type { Database } from '../../db/connect.ts';
import { providers } from '../../db/schema/index.ts';

/** The ad accounts of an active clinic, malformed ids left out. No public answer carries them: only the frame that reports a lead does. */
export async function findAdIds(db: Database, providerId: number): Promise<AdIds> {
  const [row] = await db
    .select({ google: providers.googleAdsId, microsoft: providers.bingAdsId })
    .from(providers)
    .where(and(eq(providers.id, providerId), eq(providers.status, 't')));
  return validAdIds(row ?? { google: null, microsoft: null });
}
