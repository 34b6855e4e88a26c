import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { PageData } from '#shared/boot.ts';
import type { TenantView } from '#shared/tenant.ts';
import type { Encoding } from '../http/acceptEncoding.ts';
import type { Log } from '../log.ts';
import type { Boots } from './boots.ts';
import type { BuiltBundle } from './bundle.ts';
import { pagePolicy } from './csp.ts';
import { renderDocument } from './document.ts';
import { pageClinic, shapeOf, type SlotValues } from './slots.ts';
import { composeGzip, composePage, drawTemplate, fillTemplate, type Template } from './template.ts';

/** Policies by the scheme a page came by. */
export interface Policies {
  http: string;
  https: string;
}

/** A page ready to be answered; its body is only made when asked for. */
export interface CachedPage {
  etag: string;
  policies: Policies;
  body: (accepted: readonly Encoding[]) => { encoding: Encoding; bytes: Buffer };
}

/** A page kept whole, as it is asked for often, with the records it was made from. */
interface HotPage extends CachedPage {
  hour: number;
  tenant: TenantView | null;
  clinic: TenantView | null;
  byteLength: number;
}

/** A page that no template can stand for is drawn each time: its policy goes with what was drawn. */
interface Drawing {
  template: Template | null;
  policies: Policies;
}

interface Deps {
  bundle: BuiltBundle;
  boots: Boots;
  log: Log;
  /** Bytes of whole pages kept. */
  hotBytesMax?: number;
  /** Bytes of templates kept: some 80 KB for each kind of page and shape of clinic. */
  templateBytesMax?: number;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** A second request within the last so many different pages makes a page hot. */
const seenMax = 1024;
/** Compressing must not crowd out answering: with very many clinics nearly every page is cold, and stays so. */
const heatEveryMs = 50;
const brotliQuality = { fixed: 11, clinic: 5 } as const;

export interface PageCache {
  get: (page: PageData, tenant: TenantView | null) => CachedPage;
  /** Resolves once no page is being compressed. */
  settled: () => Promise<void>;
}

function policiesOf(css: string): Policies {
  return { http: pagePolicy({ css, secure: false }), https: pagePolicy({ css, secure: true }) };
}

/** Names a page among all: kind, what its address chose, and whose host it is on. */
function pageKey(page: PageData, tenant: TenantView | null): string {
  const host = tenant === null ? '' : tenant.id;
  if (page.kind === 'microsite') return `m${page.clinic.id}@${host}`;
  if (page.kind === 'success') return `s${page.noProvider ? 'n' : (page.providerId ?? '')}@${host}`;
  return page.kind === 'policy' ? `${page.policy}@${host}` : `${page.kind}@${host}`;
}

/**
 * Whole pages for those asked for often, templates for all the rest; both bounded by bytes. Any number of clinics costs no more memory
 * than the shapes they come in. Nothing is served that is older than an hour.
 */
export function createPageCache({
  bundle,
  boots,
  log,
  hotBytesMax = 64 * 2 ** 20,
  templateBytesMax = 32 * 2 ** 20,
}: Deps): PageCache {
  const hot = new LRUCache<string, HotPage>({
    maxSize: hotBytesMax,
    sizeCalculation: ({ byteLength }) => byteLength + 1024,
  });
  const drawings = new LRUCache<string, Drawing>({
    maxSize: templateBytesMax,
    sizeCalculation: ({ template }) => Math.ceil(template?.byteLength ?? 1024),
  });
  const seen = new Set<string>();
  let heating: Promise<void> | null = null;
  let heatedAtMs = 0;

  function draw(page: PageData, tenant: TenantView | null, values: SlotValues): Drawing {
    const detail =
      page.kind === 'policy' ? page.policy : page.kind === 'success' ? String(page.noProvider) : '';
    const key = `${page.kind}/${detail}/${boots.epoch().today}/${shapeOf(values)}`;
    const kept = drawings.get(key);
    if (kept !== undefined) return kept;
    const input = { renderer: bundle.renderer, links: bundle.links(page.kind), boot: boots.of(page, tenant) };
    const template = drawTemplate(input);
    if (template === null)
      log.warn({ page: page.kind }, 'no template stands for this page: it is drawn for each clinic');
    const drawing = { template, policies: policiesOf(template?.css ?? renderDocument(input).css) };
    drawings.set(key, drawing);
    return drawing;
  }

  /** Compresses a page for good in the background, one at a time. */
  function heat(key: string, cold: CachedPage & { hour: number }, values: SlotValues): void {
    const atMs = performance.now();
    if (heating !== null || atMs - heatedAtMs < heatEveryMs) return;
    heatedAtMs = atMs;
    const { bytes } = cold.body(['identity']);
    const quality =
      values.tenant === null && values.clinic === null && values.providerId === null
        ? brotliQuality.fixed
        : brotliQuality.clinic;
    heating = compress(bytes, quality)
      .then((bodies) => {
        hot.set(key, hotPage(cold, values, { identity: bytes, ...bodies }));
      })
      .catch((error: unknown) => log.error({ err: error }, 'a page could not be compressed'))
      .finally(() => {
        heating = null;
      });
  }

  return {
    settled: async () => {
      while (heating !== null) await heating;
    },
    get(page, tenant) {
      const key = pageKey(page, tenant);
      const clinic = pageClinic(page);
      const { hour } = boots.epoch();
      const kept = hot.get(key);
      if (kept !== undefined && kept.hour === hour && kept.tenant === tenant && kept.clinic === clinic)
        return kept;

      const values: SlotValues = {
        tenant,
        clinic,
        providerId: page.kind === 'success' ? page.providerId : null,
        formToken: boots.formToken(page),
      };
      const drawing = draw(page, tenant, values);
      const cold =
        drawing.template === null
          ? drawnPage(
              renderDocument({
                renderer: bundle.renderer,
                links: bundle.links(page.kind),
                boot: boots.of(page, tenant),
              }).html,
              drawing,
              hour,
            )
          : templatePage(drawing.template, drawing.policies, values, hour);
      if (kept !== undefined && kept.etag === cold.etag) {
        // The records were read anew and say the same.
        kept.tenant = tenant;
        kept.clinic = clinic;
        return kept;
      }
      if (kept !== undefined) hot.delete(key);
      if (seen.has(key)) heat(key, cold, values);
      else {
        if (seen.size >= seenMax) seen.clear();
        seen.add(key);
      }
      return cold;
    },
  };
}

async function compress(bytes: Buffer, quality: number): Promise<{ br: Buffer; gzip: Buffer }> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return { br: await compressBrotli(bytes, { params }), gzip: await compressGzip(bytes, { level: 6 }) };
}

/** Weak, as the bytes differ between encodings, processes (each mints its own token) and the two ways to gzip, but not what they mean. */
function weakEtag(...parts: string[]): string {
  return `W/"${hash('sha1', parts.join('\0'), 'base64url')}"`;
}

function templatePage(
  template: Template,
  policies: Policies,
  values: SlotValues,
  hour: number,
): CachedPage & { hour: number } {
  const { tenant, clinic, providerId } = values;
  return {
    hour,
    policies,
    etag: weakEtag(
      template.digest,
      JSON.stringify([tenant, clinic === tenant ? 0 : clinic, providerId]),
      String(hour),
    ),
    body(accepted) {
      const filled = fillTemplate(template, values);
      const encoding = accepted.includes('gzip') ? 'gzip' : 'identity';
      return {
        encoding,
        bytes: encoding === 'gzip' ? composeGzip(template, filled) : composePage(template, filled),
      };
    },
  };
}

function drawnPage(html: string, { policies }: Drawing, hour: number): CachedPage & { hour: number } {
  return {
    hour,
    policies,
    etag: weakEtag(html, String(hour)),
    body: () => ({ encoding: 'identity', bytes: Buffer.from(html) }),
  };
}

function hotPage(
  { etag, policies, hour }: CachedPage & { hour: number },
  values: SlotValues,
  bodies: Record<Encoding, Buffer>,
): HotPage {
  return {
    etag,
    policies,
    hour,
    tenant: values.tenant,
    clinic: values.clinic,
    byteLength: bodies.identity.length + bodies.gzip.length + bodies.br.length,
    body([encoding = 'identity']) {
      return { encoding, bytes: bodies[encoding] };
    },
  };
}
