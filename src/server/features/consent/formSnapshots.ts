import { LRUCache } from 'lru-cache';
import type { FormKey } from '#shared/leads/leads.ts';
import type { Database } from '#server/db/connect.ts';
import { consentFormSnapshots } from '#server/db/schema/index.ts';
import type { Site } from '#server/tenant/site.ts';
import type { ProviderRecord } from '#server/tenant/providerRecord.ts';

/** A lead form's HTML as it is rendered, without its token, and the hash consent records name it by. */
export interface FormSnapshot {
  sha256: string;
  html: string;
}

/** What each form looks like on each site; the renderer knows. */
export interface FormSnapshots {
  /** `clinic` is the one whose microsite it stood on, on its own host or on the main site. Null when that site doesn't show the form. */
  of: (form: FormKey, site: Site, provider: ProviderRecord | null) => FormSnapshot | null;
}

const rememberedMax = 10_000;
const storedIn = new WeakMap<Database, LRUCache<string, true>>();

/**
 * Stores a form's HTML once per content, so that a consent record may refer to it. Costs a query only the first time this process meets
 * the hash in that database.
 */
export async function storeSnapshot(db: Database, { sha256, html }: FormSnapshot): Promise<void> {
  let stored = storedIn.get(db);
  if (stored === undefined) {
    stored = new LRUCache({ max: rememberedMax });
    storedIn.set(db, stored);
  }
  if (stored.has(sha256)) return;
  await db.insert(consentFormSnapshots).values({ sha256, html }).onConflictDoNothing();
  stored.set(sha256, true);
}

/** Forgets what this process has stored: the database may have been emptied or restored beneath it. */
export function forgetSnapshots(db: Database): void {
  storedIn.delete(db);
}
