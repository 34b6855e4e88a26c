import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { FormKey } from '#shared/leads/leadForms.ts';
import type { FormSnapshot, FormSnapshots } from '../features/consent/formSnapshots.ts';
import type { Boots } from './boots.ts';
import type { Bundle } from './bundle.ts';
import type { ChosenPage } from './pageRoute.ts';
import type { ProviderRecord } from '../tenant/providerRecord.ts';

const keptMax = 500;

/** A page of the site that contains the form. */
function buildPage(form: FormKey, provider: ProviderRecord | null): ChosenPage | null {
  switch (form) {
    case 'landing':
    case 'quiz':
    case 'find':
      return { kind: form, form: null };
    case 'microsite':
      return provider === null ? null : { kind: 'microsite', provider, form: null };
    case 'api':
    default:
      return null;
  }
}

/**
 * Renders the form that a visitor saw, without its token, so that equal forms have equal hashes. A provider's form is
 * rendered again when its record was read again. In development, the result is null before the first page.
 */
export function createFormSnapshots({ bundle, boots }: { bundle: Bundle; boots: Boots }): FormSnapshots {
  const kept = new LRUCache<string, { provider: ProviderRecord | null; snapshot: FormSnapshot }>({
    max: keptMax,
  });
  return {
    of(form, site, provider) {
      const renderer = bundle.development === null ? bundle.renderer : bundle.development.loadedRenderer();
      const page = buildPage(form, provider);
      if (page === null || renderer === null) return null;
      // The form names this provider.
      const drawnFor = 'provider' in page ? page.provider : site.tenant;
      const key = `${form}/${site.tenant?.id ?? ''}/${drawnFor?.id ?? ''}`;
      const before = kept.get(key);
      if (before !== undefined && before.provider === drawnFor && bundle.development === null)
        return before.snapshot;
      const html = renderer.renderLeadForm(form, { ...boots.of(page, site.tenant), formToken: '' });
      const snapshot = { html, sha256: createHash('sha256').update(html).digest('hex') };
      kept.set(key, { provider: drawnFor, snapshot });
      return snapshot;
    },
  };
}
