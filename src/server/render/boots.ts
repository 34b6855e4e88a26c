import { type Boot, pageProvider, type PageData } from '#shared/pages/boot.ts';
import { pages } from '#shared/pages/pages.ts';
import { readOpening } from '#shared/providers/openingHours.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import type { HiddenClaim } from '#shared/claims/claim.ts';
import { hourMs } from '#shared/formats/time.ts';
import { publicConfig } from '../config/config.ts';
import { type ProviderRecord, toView } from '../tenant/providerRecord.ts';
import type { Services } from '../services.ts';
import type { ChosenPage } from './pageRoute.ts';
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { FormKey } from '#shared/leads/leadForms.ts';
import type { FormSnapshot, FormSnapshots } from '../features/consent/formSnapshots.ts';
import { toHiddenClaims } from '../features/claims/hiddenClaims.ts';
import type { Bundle } from './bundle.ts';

/** The form token in a cached page, and so the page, is an hour old at most. */
const epochMs = hourMs;

/** What all pages share for an hour at most, while no claim is hidden or shown again. */
interface Epoch {
  /** Part of every ETag, because the token in an older copy is too old. */
  key: string;
  hour: number;
  /** Ids, as the directory has them. */
  hiddenIds: readonly string[];
  hiddenClaims: readonly HiddenClaim[];
  /** UTC, YYYY-MM-DD. */
  today: string;
  /** When the tokens of its pages were issued. */
  at: Date;
}

export type Boots = ReturnType<typeof createBoots>;

/** The views of a page's provider and of its host's. One view if they are equal. */
export function readProviders(
  page: ChosenPage,
  tenant: ProviderRecord | null,
  at: Date,
): { tenant: TenantView | null; provider: TenantView | null } {
  const record = pageProvider(page);
  const view = tenant === null ? null : toView(tenant, at);
  if (record === null) return { tenant: view, provider: null };
  return { tenant: view, provider: record.json === tenant?.json ? view : toView(record, at) };
}

/**
 * When a page that was rendered then has to be rendered again: in the next hour, or when its provider opens or closes.
 */
export function findPageEnd(provider: TenantView | null, at: Date): number {
  const hourEnd = (Math.floor(at.getTime() / epochMs) + 1) * epochMs;
  const opening = provider === null ? null : readOpening(provider, at);
  return Math.min(hourEnd, opening?.changesAtMs ?? Infinity);
}

/** The page and its host's provider, with their records read. */
function readRecords(
  page: ChosenPage,
  record: ProviderRecord | null,
  at: Date,
): { tenant: TenantView | null; page: PageData } {
  const { tenant, provider } = readProviders(page, record, at);
  if (page.kind === 'success') return { tenant, page: { ...page, provider } };
  if (page.kind !== 'microsite' && page.kind !== 'location') return { tenant, page };
  if (provider === null) throw new Error(`The ${page.kind} page needs a provider`);
  return { tenant, page: { ...page, provider } };
}

/** Creates pages' boot data. Tokens are issued once an hour, so that equal requests get equal bytes. */
export function createBoots({
  config,
  submissions: { formTokens },
  tenants,
  now,
}: Pick<Services, 'config' | 'now'> & {
  tenants: Pick<Services['tenants'], 'hiddenClaims'>;
  submissions: Pick<Services['submissions'], 'formTokens'>;
}) {
  const site = publicConfig(config);
  let current: Epoch = { key: '', hour: -1, hiddenIds: [], hiddenClaims: [], today: '', at: new Date(0) };

  function epoch(): Epoch {
    const at = now();
    const hour = Math.floor(at.getTime() / epochMs);
    const hiddenIds = tenants.hiddenClaims();
    if (hour === current.hour && hiddenIds === current.hiddenIds) return current;
    const hiddenClaims = toHiddenClaims(hiddenIds);
    const key = [hour.toString(36), ...hiddenClaims.map(({ place }) => place)].join('-');
    const today = at.toISOString().slice(0, 10);
    current = { key, hour, hiddenIds, hiddenClaims, today, at };
    return current;
  }

  function formToken(page: ChosenPage, tenant: ProviderRecord | null): string {
    const { form } = pages[page.kind];
    return form === undefined ? '' : formTokens.issue(form, { site: { tenant }, at: epoch().at });
  }

  return {
    epoch,
    formToken,
    now,
    of: (page: ChosenPage, tenant: ProviderRecord | null, at = now()): Boot => ({
      ...readRecords(page, tenant, at),
      site,
      hiddenClaims: epoch().hiddenClaims,
      formToken: formToken(page, tenant),
      today: epoch().today,
    }),
  };
}

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
