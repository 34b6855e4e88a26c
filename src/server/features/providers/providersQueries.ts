import { addressLine } from '#shared/providers/addressParts.ts';
import { createHash } from 'node:crypto';
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { PublicProvider } from '#shared/providers/providerFieldLists.ts';
import { type AdIds, validAdIds } from '#shared/providers/adIds.ts';
import type { PictureKind } from '#shared/providers/tenant.ts';
import { listingSize, type ProviderListing } from '#shared/providers/providerList.ts';
import { providerHome } from '#shared/pages/site.ts';
import { getLabel, toPhoneHref } from '#shared/providers/providerView.ts';
import { publicColumns } from '#server/db/providerFields.ts';
import type { Database } from '#server/db/connect.ts';
import { providers } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import type { DatabaseGate } from '#server/db/withTimeout.ts';
import type { TenantDirectory } from '#server/tenant/site.ts';

const isActive = eq(providers.status, 't');

async function findActive(db: Database, condition: SQL): Promise<PublicProvider | null> {
  const [row] = await db.select(publicColumns).from(providers).where(and(condition, isActive));
  return row ?? null;
}

/** The active provider of this normalized host, or null. */
export function findActiveProviderByDomain(db: Database, domain: string): Promise<PublicProvider | null> {
  return findActive(db, eq(providers.domain, domain));
}

/** The active provider of this id. Throws NOT_FOUND 'Provider not found', also for an inactive one. */
export async function getActiveProvider(db: Database, id: number): Promise<PublicProvider> {
  const found = await findActive(db, eq(providers.id, id));
  if (found === null) throw notFound('Provider');
  return found;
}

/** An active provider's ad accounts, without malformed ids. Only the frame that reports a lead makes them public. */
export async function findAdIds(db: Database, providerId: number): Promise<AdIds> {
  const [row] = await db
    .select({ google: providers.googleAdsId, microsoft: providers.bingAdsId })
    .from(providers)
    .where(and(eq(providers.id, providerId), isActive));
  return validAdIds(row ?? { google: null, microsoft: null });
}

interface PictureServices {
  db: Database;
  publicReads: DatabaseGate;
  tenants: Pick<TenantDirectory, 'findById'>;
}

/** Finds the URL of a provider's logo or image; null without one. An unknown id costs no query. */
export function pictureAddresses({ db, publicReads, tenants }: PictureServices) {
  return async (id: number, kind: PictureKind): Promise<string | null> =>
    (await tenants.findById(id)) === null ? null : publicReads.ask(() => findPictureAddress(db, id, kind));
}

async function findPictureAddress(db: Database, id: number, kind: PictureKind): Promise<string | null> {
  const { logoUrl, imageUrl, pictures } = providers;
  const [row] = await db
    .select({ logoUrl, imageUrl, pictures })
    .from(providers)
    .where(and(eq(providers.id, id), isActive));
  if (row === undefined) return null;
  if (kind === 'logo') return row.logoUrl;
  return kind === 'image' ? row.imageUrl : (row.pictures?.[Number(kind.slice(-1)) - 1] ?? null);
}

const byLabel = new Intl.Collator('en-US', { numeric: true });

/** What the map's page shows before its script runs: the first active providers by name, and what it is given. */
export async function listFirstProviders(
  db: Database,
  { mainOrigin, ...rest }: { mainOrigin: string } & Pick<ProviderListing, 'states' | 'radiusMiles'>,
): Promise<ProviderListing> {
  const rows = await db
    .select({
      id: providers.id,
      name: providers.name,
      practiceName: providers.practiceName,
      address: providers.address,
      zipCode: providers.zipCode,
      domain: providers.domain,
      phone: providers.phone,
      // Counted apart, so that the rows come from providers_active_name_idx.
      total: sql<number>`(select count(*) from ${providers} where ${providers.status} = 't')`.mapWith(Number),
    })
    .from(providers)
    .where(isActive)
    .orderBy(sql`lower(${providers.name})`, asc(providers.id))
    .limit(listingSize);
  const entries = rows.map(({ id, address, zipCode, domain, phone, ...names }) => ({
    name: getLabel(names),
    phone,
    phoneHref: toPhoneHref(phone),
    place: addressLine(address ?? '', zipCode).trim(),
    href: providerHome({ id, domain }, mainOrigin),
  }));
  entries.sort((one, other) => byLabel.compare(one.name, other.name));
  const total = rows[0]?.total ?? 0;
  const key = createHash('sha256')
    .update(JSON.stringify([total, entries, rest]))
    .digest('base64url')
    .slice(0, 22);
  return { key, total, entries, ...rest };
}

/** Ids of one part of the sitemap. Parts are ranges of ids, so a new provider changes one part. */
const idsPerPart = 10_000;

const isOnMainSite = sql`${providers.status} = 't' and ${providers.domain} is null`;

/** The parts of the sitemap that have any active provider without a domain, whose page is on the main site. */
export async function listSitemapParts(db: Database): Promise<number[]> {
  const rows = await db
    .selectDistinct({ part: sql<number>`(${providers.id} / ${sql.raw(String(idsPerPart))})::float8` })
    .from(providers)
    .where(isOnMainSite)
    .orderBy(sql`1`);
  return rows.map(({ part }) => part);
}

/** The ids of one part, in order. One text, because ten thousand rows take the process five times as long. */
export async function listPart(db: Database, part: number): Promise<number[]> {
  const [row] = await db
    .select({ ids: sql<string | null>`string_agg(${providers.id}::text, ',' order by ${providers.id})` })
    .from(providers)
    .where(
      sql`${isOnMainSite} and ${providers.id} >= ${part * idsPerPart} and ${providers.id} < ${(part + 1) * idsPerPart}`,
    );
  return row?.ids?.split(',').map(Number) ?? [];
}
