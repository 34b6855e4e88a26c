import { LRUCache } from 'lru-cache';
import { entriesMax } from '#server/cache/caches.ts';
import type { FormKey } from '#shared/leads/leadForms.ts';
import type { Database } from '#server/db/connect.ts';
import { consentFormSnapshots } from '#server/db/schema/index.ts';
import type { Site } from '#server/tenant/site.ts';
import type { ProviderRecord } from '#server/tenant/providerRecord.ts';

/** A rendered lead form without its token, and the hash by which consent records refer to it. */
export interface FormSnapshot {
  sha256: string;
  html: string;
}

/** The renderer's snapshots of each form on each site. */
export interface FormSnapshots {
  /** `provider`: whose microsite showed it, on its own host or the main site. Null: the site doesn't show the form. */
  of: (form: FormKey, site: Site, provider: ProviderRecord | null) => FormSnapshot | null;
}

const rememberedMax = 10_000;
const storedIn = new WeakMap<Database, LRUCache<string, true>>();

/** Stores a form's HTML once per content, for consent records to name. A process asks once for each hash. */
export async function storeSnapshot(db: Database, { sha256, html }: FormSnapshot): Promise<void> {
  let stored = storedIn.get(db);
  if (stored === undefined) {
    stored = new LRUCache(entriesMax(rememberedMax));
    storedIn.set(db, stored);
  }
  if (stored.has(sha256)) return;
  await db.insert(consentFormSnapshots).values({ sha256, html }).onConflictDoNothing();
  stored.set(sha256, true);
}

/** Forgets which snapshots are stored: the database may have been emptied or restored. */
export function forgetSnapshots(db: Database): void {
  storedIn.delete(db);
}
