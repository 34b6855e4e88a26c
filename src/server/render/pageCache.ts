import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PageData } from '#shared/boot.ts';
import type { TenantView } from '#shared/tenant.ts';
import type { Log } from '../log.ts';
import type { Boots } from './boots.ts';
import type { BuiltBundle } from './bundle.ts';
import { pagePolicy } from './csp.ts';
import { renderDocument } from './document.ts';
import { type CachedPage, createHotPages, type PageKey, type Policies } from './hotPages.ts';
import { pageClinic, shapeOf, type SlotValues } from './pageShape.ts';
import {
  composeGzip,
  composePage,
  drawTemplate,
  fillTemplate,
  type Template,
  valuesChecksum,
} from './template.ts';

interface Deps {
  bundle: BuiltBundle;
  boots: Boots;
  log: Log;
  /** Bytes of whole pages kept. */
  hotBytesMax?: number;
  /** Bytes of templates kept: some 100 KB for each kind of page and shape of clinic. */
  templateBytesMax?: number;
}

/** A template with its policies; a null template: the page must be drawn for each clinic. */
type Drawing = { template: Template; policies: Policies } | { template: null };

export interface PageCache {
  get: (page: PageData, tenant: TenantView | null) => CachedPage;
  /** Resolves once no page is being compressed. */
  settled: () => Promise<void>;
}

/** Names a page among all: what is shown, and on whose host. A clinic's own microsite, the page there are most of, by the bare number. */
function pageKey(page: PageData, tenant: TenantView | null): PageKey {
  if (page.kind === 'microsite' && tenant !== null && page.form === null) return tenant.id;
  return `${screenKey(page)}@${tenant === null ? '' : tenant.id}`;
}

function screenKey(page: PageData): string {
  switch (page.kind) {
    case 'microsite':
      return `microsite/${page.clinic.id}`;
    case 'success':
      return page.noProvider ? 'success/none' : `success/${page.providerId ?? ''}`;
    case 'policy':
      return page.policy;
    case 'recruitment':
      return `recruitment/${page.applied}/${page.isOfferOver}`;
    case 'landing':
    case 'variant':
    case 'quiz':
    case 'find':
    case 'map':
    case 'providerNotFound':
    case 'notFound':
    default:
      return page.kind;
  }
}

/** Pages with the same key are drawn alike: what is shown, the date and the shape of the clinics. */
function templateKey(page: PageData, values: SlotValues, today: string): string {
  const screen =
    page.kind === 'success'
      ? `success/${page.noProvider}`
      : page.kind === 'microsite'
        ? page.kind
        : screenKey(page);
  return `${screen}/${today}/${shapeOf(values)}`;
}

/**
 * Whole pages for those asked for often, templates for all the rest; both bounded by bytes. Any number of clinics costs no more memory
 * than the shapes they come in. Nothing is served that is older than an hour.
 */
export function createPageCache({
  bundle,
  boots,
  log,
  hotBytesMax = 24 * 2 ** 20,
  templateBytesMax = 32 * 2 ** 20,
}: Deps): PageCache {
  const hot = createHotPages({ log, bytesMax: hotBytesMax });
  const drawings = new LRUCache<string, Drawing>({
    maxSize: templateBytesMax,
    sizeCalculation: ({ template }) => Math.ceil(template?.byteLength ?? 1024),
  });

  function drawingOf(page: PageData, values: SlotValues): Drawing {
    const key = templateKey(page, values, boots.epoch().today);
    const kept = drawings.get(key);
    if (kept !== undefined) return kept;
    const boot = boots.of(page, values.tenant);
    const template = drawTemplate({ renderer: bundle.renderer, links: bundle.links(page.kind), boot });
    if (template === null)
      log.warn({ page: page.kind }, 'no template stands for this page: it is drawn for each clinic');
    const drawing = template === null ? { template } : { template, policies: policiesOf(template.css) };
    drawings.set(key, drawing);
    return drawing;
  }

  function coldPage(page: PageData, values: SlotValues): CachedPage {
    const { hour } = boots.epoch();
    const drawing = drawingOf(page, values);
    if (drawing.template !== null) return templatePage(drawing, values, hour);
    const boot = boots.of(page, values.tenant);
    return drawnPage(
      renderDocument({ renderer: bundle.renderer, links: bundle.links(page.kind), boot }),
      hour,
    );
  }

  return {
    settled: () => hot.settled(),
    get(page, tenant) {
      const key = pageKey(page, tenant);
      const clinic = pageClinic(page);
      const kept = hot.get(key);
      const current = kept !== undefined && kept.hour === boots.epoch().hour;
      if (current && kept.tenant === tenant && kept.clinic === clinic) return kept;

      const providerId = page.kind === 'success' ? page.providerId : null;
      const values = { tenant, clinic, providerId, formToken: boots.formToken(page) };
      const cold = coldPage(page, values);
      if (current && kept.etag === cold.etag) {
        // The records were read anew and say the same.
        kept.tenant = tenant;
        kept.clinic = clinic;
        return kept;
      }
      if (kept !== undefined) hot.delete(key);
      hot.offer(key, cold, values);
      return cold;
    },
  };
}

function policiesOf(css: string): Policies {
  return { http: pagePolicy({ css, secure: false }), https: pagePolicy({ css, secure: true }) };
}

/** Weak, as the bytes differ between encodings, processes (each mints its own token) and the two ways to gzip, but not what they mean. */
function templatePage(
  { template, policies }: { template: Template; policies: Policies },
  values: SlotValues,
  hour: number,
): CachedPage {
  const filled = fillTemplate(template, values);
  return {
    hour,
    policies,
    // 32 bits are enough to tell one edition of a clinic's record from the next, in one hour and at one address.
    etag: `W/"${template.digest}-${valuesChecksum(template, filled).toString(36)}-${hour.toString(36)}"`,
    body(accepted) {
      if (accepted.includes('gzip')) return { encoding: 'gzip', bytes: composeGzip(template, filled) };
      return { encoding: 'identity', bytes: composePage(template, filled) };
    },
  };
}

function drawnPage({ html, css }: { html: string; css: string }, hour: number): CachedPage {
  const bytes = Buffer.from(html);
  return {
    hour,
    policies: policiesOf(css),
    etag: `W/"${hash('sha1', html, 'base64url')}-${hour.toString(36)}"`,
    body: () => ({ encoding: 'identity', bytes }),
  };
}
