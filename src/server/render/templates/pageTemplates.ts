import { LRUCache } from 'lru-cache';
import { pageProvider } from '#shared/pages/boot.ts';
import type { Encoding } from '#server/http/requestHeaders.ts';
import type { Log } from '#server/log.ts';
import type { ProviderRecord } from '#server/tenant/providerRecord.ts';
import { type Boots, findPageEnd, readProviders } from '../boots.ts';
import type { BuiltBundle } from '../bundle.ts';
import type { CachedPage, PageBody } from '../cache/hotPages.ts';
import { type Policies, buildPolicies } from '../csp.ts';
import { type ChosenPage, screenKey } from '../pageRoute.ts';
import { getShape, type SlotValues } from './pageShape.ts';
import { type ByteText, computeChecksum, recycle, stitchGzip } from './stitchedGzip.ts';
import { composePage, renderTemplate, fillTemplate, type Template, valuesChecksum } from './template.ts';

interface Deps {
  bundle: BuiltBundle;
  boots: Boots;
  log: Log;
  /** Bytes of templates in memory: some 100 KB for each kind of page and shape of provider. */
  bytesMax: number;
}

/** A template with its policies. Without a template, the page must be rendered for each provider. */
type Drawing = { template: Template; policies: Policies } | { template: null };

/**
 * Returns a page filled from its template, or null if a component does more with a provider's strings than print them.
 */
export type PageTemplates = (page: ChosenPage, tenant: ProviderRecord | null) => CachedPage | null;

/** Renders each page once per shape of its provider and fills in the values per request (README.md). */
export function createPageTemplates({ bundle, boots, log, bytesMax }: Deps): PageTemplates {
  const drawings = new LRUCache<string, Drawing>({
    maxSize: bytesMax,
    sizeCalculation: ({ template }) => Math.ceil(template?.byteLength ?? 1024),
  });
  /** The microsite of each provider on its own host, until its record is replaced. */
  const microsites = new WeakMap<ProviderRecord, CachedPage>();

  function getDrawing(page: ChosenPage, tenant: ProviderRecord | null, values: SlotValues): Drawing {
    const { today, hiddenIds } = boots.epoch();
    const key = templateKey(page, values, [today, ...hiddenIds].join(' '));
    const known = drawings.get(key);
    if (known !== undefined) return known;
    const boot = boots.of(page, tenant);
    const template = renderTemplate({ renderer: bundle.renderer, links: bundle.links(page.kind), boot });
    if (template === null)
      log.warn(
        { event: 'page.without-template', page: page.kind },
        'this page has no template and is rendered for each provider',
      );
    const drawing =
      template === null ? { template } : { template, policies: buildPolicies(template.css, boot) };
    drawings.set(key, drawing);
    return drawing;
  }

  function filled(page: ChosenPage, tenant: ProviderRecord | null): CachedPage | null {
    const { key: epoch } = boots.epoch();
    const at = boots.now();
    const values = slotValues({ page, tenant, at }, boots.formToken(page, tenant));
    const drawing = getDrawing(page, tenant, values);
    return drawing.template === null ? null : new TemplatePage(drawing, { page, tenant, at, values, epoch });
  }

  return (page, tenant) => {
    if (tenant === null || page.kind !== 'microsite' || page.form !== null || page.provider !== tenant)
      return filled(page, tenant);
    const known = microsites.get(tenant);
    if (known?.epoch === boots.epoch().key && boots.now().getTime() < known.endsAtMs) return known;
    const created = filled(page, tenant);
    if (created !== null) microsites.set(tenant, created);
    return created;
  };
}

/** Pages with the same key share a template: the same screen, date, hidden claims and shape of the providers. */
function templateKey(page: ChosenPage, values: SlotValues, sharedBy: string): string {
  const screen =
    page.kind === 'success'
      ? `success/${page.noProvider}`
      : page.kind === 'microsite' || page.kind === 'location'
        ? page.kind
        : screenKey(page);
  return `${screen}/${sharedBy}/${getShape(values)}`;
}

/** What a page is filled for. */
interface Filling {
  page: ChosenPage;
  tenant: ProviderRecord | null;
  at: Date;
}

function slotValues({ page, tenant, at }: Filling, formToken: string): SlotValues {
  return {
    ...readProviders(page, tenant, at),
    tenantJson: tenant?.json ?? '',
    providerJson: pageProvider(page)?.json ?? '',
    providerId: page.kind === 'success' ? page.providerId : null,
    formToken,
  };
}

type Fillable = Exclude<Drawing, { template: null }>;

/**
 * A page filled for each request. Its ETag is weak: the bytes differ between encodings, processes (each issues its own
 * token) and kinds of gzip. A class saves memory, since each of 100,000 providers may have one.
 */
class TemplatePage implements CachedPage {
  readonly endsAtMs: number;
  readonly epoch: string;
  readonly #drawing: Fillable;
  readonly #filling: Filling;
  readonly #formToken: string;
  /** 32 bits distinguish the versions of one provider's record within an hour. */
  readonly #valuesSum: number;
  /** The checksum of the whole text, known after the first request. */
  #checksum: number | null = null;

  /** `values` are the page's current values; later requests read them again. */
  constructor(
    drawing: Fillable,
    { values, epoch, ...filling }: Filling & { values: SlotValues; epoch: string },
  ) {
    this.endsAtMs = findPageEnd(values.provider, filling.at);
    this.epoch = epoch;
    this.#drawing = drawing;
    this.#filling = filling;
    this.#formToken = values.formToken;
    this.#valuesSum = valuesChecksum(drawing.template, fillTemplate(drawing.template, values));
  }

  get policies(): Policies {
    return this.#drawing.policies;
  }

  get etag(): string {
    return `W/"${this.#drawing.template.digest}-${this.#valuesSum.toString(36)}-${this.epoch}"`;
  }

  body(accepted: readonly Encoding[]): PageBody {
    const { template } = this.#drawing;
    if (!accepted.includes('gzip'))
      return { encoding: 'identity', bytes: composePage(template, this.#filled()), release: null };
    const bytes = stitchGzip(template.gzip, this.#filled(), this.#checksum);
    this.#checksum ??= computeChecksum(bytes);
    return { encoding: 'gzip', bytes, release: () => recycle(bytes) };
  }

  #filled(): ByteText[] {
    return fillTemplate(this.#drawing.template, slotValues(this.#filling, this.#formToken));
  }
}
