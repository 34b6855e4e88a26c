import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PageData } from '#shared/boot.ts';
import type { FormKey } from '#shared/leads.ts';
import type { FormSnapshot, FormSnapshots } from '../features/leads/formSnapshots.ts';
import type { Site } from '../tenant/site.ts';
import type { Boots } from './boots.ts';
import type { Bundle } from './bundle.ts';

const keptMax = 500;

function pageOf(form: FormKey, { tenant }: Site): PageData | null {
  if (form === 'landing' && tenant === null) return { kind: 'landing', form: null };
  return form === 'microsite' && tenant !== null ? { kind: 'microsite', clinic: tenant, form: null } : null;
}

/**
 * Draws the form a visitor was shown, without its token, so that equal forms have equal hashes. A clinic's form is drawn again whenever
 * its record was read anew. In development nothing is known before the first page is drawn.
 */
export function createFormSnapshots({ bundle, boots }: { bundle: Bundle; boots: Boots }): FormSnapshots {
  const kept = new LRUCache<string, { tenant: Site['tenant']; snapshot: FormSnapshot }>({ max: keptMax });
  return {
    of(form, site) {
      const renderer = bundle.development === null ? bundle.renderer : bundle.development.loadedRenderer();
      const page = pageOf(form, site);
      if (page === null || renderer === null) return null;
      const key = `${form}/${site.tenant?.id ?? ''}`;
      const before = kept.get(key);
      if (before !== undefined && before.tenant === site.tenant && bundle.development === null)
        return before.snapshot;
      const html = renderer.renderLeadForm(form, { ...boots.of(page, site.tenant), formToken: '' });
      const snapshot = { html, sha256: createHash('sha256').update(html).digest('hex') };
      kept.set(key, { tenant: site.tenant, snapshot });
      return snapshot;
    },
  };
}
