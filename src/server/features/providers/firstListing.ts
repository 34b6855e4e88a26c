import { asc, eq, sql } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import { listingSize, type ProviderListing } from '#shared/providers/providerListing.ts';
import { providerHome } from '#shared/pages/site.ts';
import type { Database } from '../../db/connect.ts';
import { providers } from '../../db/schema/index.ts';

/** The first active clinics by name, each with the address of its own page, for who reads without scripts. */
export async function firstListing(db: Database, mainOrigin: string): Promise<ProviderListing> {
  const rows = await db
    .select({
      id: providers.id,
      name: providers.name,
      address: providers.address,
      zipCode: providers.zipCode,
      domain: providers.domain,
      total: sql<number>`count(*) over ()`.mapWith(Number),
    })
    .from(providers)
    .where(eq(providers.status, 't'))
    .orderBy(sql`lower(${providers.name})`, asc(providers.id))
    .limit(listingSize);
  const entries = rows.map(({ id, name, address, zipCode, domain }) => ({
    name,
    place: address === null || address === '' ? zipCode : `${address} ${zipCode}`,
    href: providerHome({ id, domain }, mainOrigin),
  }));
  const total = rows[0]?.total ?? 0;
  const key = createHash('sha256')
    .update(JSON.stringify([total, entries]))
    .digest('base64url')
    .slice(0, 22);
  return { key, total, entries };
}
