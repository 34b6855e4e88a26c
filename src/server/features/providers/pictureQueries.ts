import { and, eq } from 'drizzle-orm';
import type { Database } from '../../db/connect.ts';
import { providers } from '../../db/schema/index.ts';

/** Where an active clinic's logo or picture lies, as its record says; null when there is none. */
export async function findPictureAddress(
  db: Database,
  id: number,
  kind: 'logo' | 'image',
): Promise<string | null> {
  const column = kind === 'logo' ? providers.logoUrl : providers.imageUrl;
  const [row] = await db
    .select({ address: column })
    .from(providers)
    .where(and(eq(providers.id, id), eq(providers.status, 't')));
  return row?.address ?? null;
}
