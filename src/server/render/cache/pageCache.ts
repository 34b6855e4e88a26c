import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { pageProvider } from '#shared/pages/boot.ts';
import type { Log } from '#server/log.ts';
import { pagesServed } from '#server/metrics.ts';
import type { ProviderRecord } from '#server/tenant/providerRecord.ts';
import { type Boots, findPageEnd } from '../boots.ts';
import type { BuiltBundle } from '../bundle.ts';
import { buildPolicies } from '../csp.ts';
import { renderDocument } from '../document.ts';
import { type ChosenPage, screenKey } from '../pageRoute.ts';
import { createPageTemplates } from '../templates/pageTemplates.ts';
import { type CachedPage, createHotPages, type PageKey } from './hotPages.ts';

interface Deps {
  bundle: BuiltBundle;
  boots: Boots;
  log: Log;
  /** False: every page that is not hot is rendered again (PAGE_TEMPLATES=off). */
  templates: boolean;
}

const hotBytesMax = 24 * 2 ** 20;
const templateBytesMax = 32 * 2 ** 20;
/** Larger than level 6 by a few percent, in half the time. */
const gzipLevel = 4;

/** Identifies a page by screen and host. A microsite on its own host, the most frequent page, is a plain number. */
function pageKey(page: ChosenPage, tenant: ProviderRecord | null): PageKey {
  if (page.kind === 'microsite' && tenant !== null && page.form === null) return tenant.id;
  return `${screenKey(page)}@${tenant === null ? '' : tenant.id}`;
}

/**
 * Whole pages for those that are requested often, templates for all others; both have a byte limit. Memory does not
 * grow with the number of providers. No page is older than an hour.
 */
export function createPageCache({ bundle, boots, log, templates }: Deps) {
  const hot = createHotPages({ log, bytesMax: hotBytesMax });
  const fromTemplate = templates
    ? createPageTemplates({ bundle, boots, log, bytesMax: templateBytesMax })
    : () => null;

  function rendered(page: ChosenPage, tenant: ProviderRecord | null): CachedPage {
    const at = boots.now();
    const boot = boots.of(page, tenant, at);
    const { html, css } = renderDocument({
      renderer: bundle.renderer,
      links: bundle.links(page.kind),
      boot,
    });
    const { key: epoch } = boots.epoch();
    const bytes = Buffer.from(html);
    return {
      endsAtMs: findPageEnd(pageProvider(boot.page), at),
      epoch,
      policies: buildPolicies(css, boot),
      etag: `W/"${hash('sha1', html, 'base64url')}-${epoch}"`,
      body: (accepted) =>
        accepted.includes('gzip')
          ? { encoding: 'gzip', bytes: gzipSync(bytes, { level: gzipLevel }), release: null }
          : { encoding: 'identity', bytes, release: null },
    };
  }

  return {
    /** Resolves when no page is being compressed. */
    settled: () => hot.settled(),
    compressForOne: (page: CachedPage) => hot.compressForOne(page),
    get(page: ChosenPage, tenant: ProviderRecord | null): CachedPage {
      const key = pageKey(page, tenant);
      const provider = pageProvider(page);
      const kept = hot.get(key);
      const current =
        kept !== undefined && boots.now().getTime() < kept.endsAtMs && kept.epoch === boots.epoch().key;
      if (current && kept.tenant === tenant && kept.provider === provider) {
        pagesServed.stored += 1;
        return kept;
      }

      const filled = fromTemplate(page, tenant);
      pagesServed[filled === null ? 'rendered' : 'template'] += 1;
      const cold = filled ?? rendered(page, tenant);
      if (current && kept.etag === cold.etag) {
        // The records were read again and are equal.
        kept.tenant = tenant;
        kept.provider = provider;
        return kept;
      }
      if (kept !== undefined) hot.delete(key);
      hot.offer(key, cold, { tenant, provider });
      return cold;
    },
  };
}
