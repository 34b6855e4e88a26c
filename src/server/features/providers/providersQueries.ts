import { createHash } from 'node:crypto';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { PublicProvider } from '#shared/providers/providers.ts';
import { type AdIds, validAdIds } from '#shared/providers/adIds.ts';
import { listingSize, type ProviderListing } from '#shared/providers/providerListing.ts';
import { providerHome } from '#shared/pages/site.ts';
import { publicColumns, toPublicProvider } from '#server/tenant/presenter.ts';
import type { Database } from '../../db/connect.ts';
import { providers } from '../../db/schema/index.ts';
import { notFound } from '../../errors.ts';
import type { DatabaseGate } from '../../tenant/databaseGate.ts';
import type { TenantDirectory } from '../../tenant/site.ts';

/** Clinics of one status, by id, as anyone may see them. */
export async function listProviders(
  db: Database,
  { status }: { status: 'active' | 'inactive' },
): Promise<PublicProvider[]> {
  const rows = await db
    .select(publicColumns)
    .from(providers)
    .where(eq(providers.status, status === 'active' ? 't' : 'f'))
    .orderBy(asc(providers.id));
  return rows.map(toPublicProvider);
}

/** One site map holds no more addresses (sitemaps.org), the main site's own pages among them. */
const listedMax = 49_900;

/** Ids of active clinics whose page is on the main site, as they have no domain; of 49,900 at most. */
export async function listWithoutDomain(db: Database): Promise<number[]> {
  const rows = await db
    .select({ id: providers.id })
    .from(providers)
    .where(and(isNull(providers.domain), eq(providers.status, 't')))
    .orderBy(asc(providers.id))
    .limit(listedMax);
  return rows.map(({ id }) => id);
}

/** The active clinic of this normalised host, or null. */
export async function findActiveProviderByDomain(
  db: Database,
  domain: string,
): Promise<PublicProvider | null> {
  const [row] = await db
    .select(publicColumns)
    .from(providers)
    .where(and(eq(providers.domain, domain), eq(providers.status, 't')));
  return row === undefined ? null : toPublicProvider(row);
}

/** The active clinic of this id. Throws NOT_FOUND 'Provider not found', for an inactive one as well. */
export async function getActiveProvider(db: Database, id: number): Promise<PublicProvider> {
  const [row] = await db
    .select(publicColumns)
    .from(providers)
    .where(and(eq(providers.id, id), eq(providers.status, 't')));
  if (row === undefined) throw notFound('Provider');
  return toPublicProvider(row);
}

/** The ad accounts of an active clinic, malformed ids left out. No public answer carries them: only the frame that reports a lead does. */
export async function findAdIds(db: Database, providerId: number): Promise<AdIds> {
  const [row] = await db
    .select({ google: providers.googleAdsId, microsoft: providers.bingAdsId })
    .from(providers)
    .where(and(eq(providers.id, providerId), eq(providers.status, 't')));
  return validAdIds(row ?? { google: null, microsoft: null });
}

type PictureKind = 'logo' | 'image';

/** Finds where a clinic's logo or picture lies, as its record says; null when there is none. An id that is nobody's costs no query. */
export function pictureAddresses({
  db,
  reads,
  tenants,
}: {
  db: Database;
  reads: DatabaseGate;
  tenants: Pick<TenantDirectory, 'findById'>;
}) {
  return async (id: number, kind: PictureKind): Promise<string | null> =>
    (await tenants.findById(id)) === null ? null : reads.ask(() => findPictureAddress(db, id, kind));
}

async function findPictureAddress(db: Database, id: number, kind: PictureKind): Promise<string | null> {
  const column = kind === 'logo' ? providers.logoUrl : providers.imageUrl;
  const [row] = await db
    .select({ address: column })
    .from(providers)
    .where(and(eq(providers.id, id), eq(providers.status, 't')));
  return row?.address ?? null;
}

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
