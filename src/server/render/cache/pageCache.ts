import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Boot, pageProvider } from '#shared/pages/boot.ts';
import type { PageKind } from '#shared/pages/pages.ts';
import type { Encoding } from '#server/http/acceptEncoding.ts';
import type { Log } from '#server/log.ts';
import type { ProviderRecord } from '#server/tenant/providerRecord.ts';
import { type Boots, readProviders } from '../boots.ts';
import type { BuiltBundle } from '../bundle.ts';
import { pagePolicy, tilesOriginOf } from '../csp.ts';
import { renderDocument } from '../document.ts';
import { type CachedPage, createHotPages, type PageBody, type PageKey, type Policies } from './hotPages.ts';
import type { ChosenPage } from '../pageRoute.ts';
import { shapeOf, type SlotValues } from '../templates/pageShape.ts';
import {
  composeGzip,
  composePage,
  drawTemplate,
  fillTemplate,
  type Template,
  valuesChecksum,
} from '../templates/template.ts';
import { type ByteText, checksumOf } from '../templates/stitchedGzip.ts';

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
  get: (page: ChosenPage, tenant: ProviderRecord | null) => CachedPage;
  /** Resolves once no page is being compressed. */
  settled: () => Promise<void>;
}

/** Kinds of pages that are the same for everyone but for a posted form. */
type KindWithoutData = {
  [Kind in PageKind]: Exclude<keyof Extract<ChosenPage, { kind: Kind }>, 'kind' | 'form'> extends never
    ? Kind
    : never;
}[PageKind];

/** Names a page among all: what is shown, and on whose host. A clinic's own microsite, the page there are most of, by the bare number. */
function pageKey(page: ChosenPage, tenant: ProviderRecord | null): PageKey {
  if (page.kind === 'microsite' && tenant !== null && page.form === null) return tenant.id;
  return `${screenKey(page)}@${tenant === null ? '' : tenant.id}`;
}

function screenKey(page: ChosenPage): string {
  if (page.kind === 'microsite') return `microsite/${page.provider.id}`;
  if (page.kind === 'success') return page.noProvider ? 'success/none' : `success/${page.providerId ?? ''}`;
  if (page.kind === 'policy') return page.policy;
  if (page.kind === 'recruitment') return `recruitment/${page.applied}/${page.isOfferOver}`;
  if (page.kind === 'map') return `map/${page.listed?.key ?? ''}`;
  // A page with data of its own needs a key of its own. The dashboard's gate has no member.
  const kind: KindWithoutData | 'admin' = page.kind;
  return kind;
}

/** Pages with the same key are drawn alike: what is shown, the date and the shape of the clinics. */
function templateKey(page: ChosenPage, values: SlotValues, today: string): string {
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

  /** Each clinic's own microsite, where nothing but its values is left to do. Gone with the record. */
  const editions = new WeakMap<ProviderRecord, CachedPage>();

  function drawingOf(page: ChosenPage, tenant: ProviderRecord | null, values: SlotValues): Drawing {
    const key = templateKey(page, values, boots.epoch().today);
    const kept = drawings.get(key);
    if (kept !== undefined) return kept;
    const boot = boots.of(page, tenant);
    const template = drawTemplate({ renderer: bundle.renderer, links: bundle.links(page.kind), boot });
    if (template === null)
      log.warn({ page: page.kind }, 'no template stands for this page: it is drawn for each clinic');
    const drawing = template === null ? { template } : { template, policies: policiesOf(template.css, boot) };
    drawings.set(key, drawing);
    return drawing;
  }

  function coldPage(page: ChosenPage, tenant: ProviderRecord | null): CachedPage {
    const { hour } = boots.epoch();
    const formToken = boots.formToken(page);
    const values = slotValues(page, tenant, formToken);
    const drawing = drawingOf(page, tenant, values);
    if (drawing.template !== null) return new TemplatePage(drawing, { page, tenant, values, hour });
    const boot = boots.of(page, tenant);
    const { html, css } = renderDocument({
      renderer: bundle.renderer,
      links: bundle.links(page.kind),
      boot,
    });
    return drawnPage(html, policiesOf(css, boot), hour);
  }

  function editionOf(page: ChosenPage, tenant: ProviderRecord | null): CachedPage {
    if (tenant === null || page.kind !== 'microsite' || page.form !== null || page.provider !== tenant)
      return coldPage(page, tenant);
    const kept = editions.get(tenant);
    if (kept?.hour === boots.epoch().hour) return kept;
    const made = coldPage(page, tenant);
    editions.set(tenant, made);
    return made;
  }

  return {
    settled: () => hot.settled(),
    get(page, tenant) {
      const key = pageKey(page, tenant);
      const provider = pageProvider(page);
      const kept = hot.get(key);
      const current = kept !== undefined && kept.hour === boots.epoch().hour;
      if (current && kept.tenant === tenant && kept.provider === provider) return kept;

      const cold = editionOf(page, tenant);
      if (current && kept.etag === cold.etag) {
        // The records were read anew and say the same.
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

function slotValues(page: ChosenPage, tenant: ProviderRecord | null, formToken: string): SlotValues {
  return {
    ...readProviders(page, tenant),
    tenantJson: tenant?.json ?? '',
    providerJson: pageProvider(page)?.json ?? '',
    providerId: page.kind === 'success' ? page.providerId : null,
    formToken,
  };
}

function policiesOf(css: string, boot: Boot): Policies {
  const tilesOrigin = tilesOriginOf(boot);
  return {
    http: pagePolicy({ css, secure: false, tilesOrigin }),
    https: pagePolicy({ css, secure: true, tilesOrigin }),
  };
}

type Fillable = Exclude<Drawing, { template: null }>;

/**
 * A page that is filled in anew whenever it is asked for. The tag is weak, as the bytes differ between encodings, processes (each mints its
 * own token) and the two ways to gzip, but not what they mean. A class, since there may be one for each of very many clinics.
 */
class TemplatePage implements CachedPage {
  readonly hour: number;
  readonly #drawing: Fillable;
  readonly #page: ChosenPage;
  readonly #tenant: ProviderRecord | null;
  readonly #formToken: string;
  /** 32 bits are enough to tell one edition of a clinic's record from the next, in one hour and at one address. */
  readonly #valuesSum: number;
  /** Of the whole text, once it was stitched. */
  #checksum: number | null = null;

  /** `values` are those of the page now; they are read anew when they are needed again. */
  constructor(
    drawing: Fillable,
    {
      page,
      tenant,
      values,
      hour,
    }: { page: ChosenPage; tenant: ProviderRecord | null; values: SlotValues; hour: number },
  ) {
    this.hour = hour;
    this.#drawing = drawing;
    this.#page = page;
    this.#tenant = tenant;
    this.#formToken = values.formToken;
    this.#valuesSum = valuesChecksum(drawing.template, fillTemplate(drawing.template, values));
  }

  get policies(): Policies {
    return this.#drawing.policies;
  }

  get etag(): string {
    return `W/"${this.#drawing.template.digest}-${this.#valuesSum.toString(36)}-${this.hour.toString(36)}"`;
  }

  body(accepted: readonly Encoding[]): PageBody {
    const { template } = this.#drawing;
    if (!accepted.includes('gzip'))
      return { encoding: 'identity', bytes: composePage(template, this.#filled()), own: false };
    const bytes = composeGzip(template, this.#filled(), this.#checksum);
    this.#checksum ??= checksumOf(bytes);
    return { encoding: 'gzip', bytes, own: true };
  }

  #filled(): ByteText[] {
    return fillTemplate(this.#drawing.template, slotValues(this.#page, this.#tenant, this.#formToken));
  }
}

function drawnPage(html: string, policies: Policies, hour: number): CachedPage {
  const bytes = Buffer.from(html);
  return {
    hour,
    policies,
    etag: `W/"${hash('sha1', html, 'base64url')}-${hour.toString(36)}"`,
    body: () => ({ encoding: 'identity', bytes, own: false }),
  };
}
