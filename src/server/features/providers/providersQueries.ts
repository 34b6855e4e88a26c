import { and, asc, eq, isNull } from 'drizzle-orm';
import type { PublicProvider } from '#shared/providers/providers.ts';
import type { Database } from '../../db/connect.ts';
import { providers } from '../../db/schema/index.ts';
import { notFound } from '../../errors.ts';
import { publicColumns, toPublicProvider } from '#server/tenant/presenter.ts';

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
