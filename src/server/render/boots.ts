import { type Boot, pageProvider, type PageData } from '#shared/pages/boot.ts';
import { pages } from '#shared/pages/pages.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import { hourMs } from '#shared/formats/time.ts';
import { publicConfig } from '../config/config.ts';
import { type ProviderRecord, viewOf } from '../tenant/providerRecord.ts';
import type { TokenForm } from '../features/submissions/formToken.ts';
import type { Services } from '../services.ts';
import type { ChosenPage } from './pageRoute.ts';

/** An hour: the render token in a cached page, and with it the page, is at most that old. */
const epochMs = hourMs;

/** What stays the same for all pages within one hour. */
interface Epoch {
  /** Hours since 1970. Part of every ETag: a copy kept for longer carries too old a token. */
  hour: number;
  /** UTC, YYYY-MM-DD. */
  today: string;
  tokens: Partial<Record<TokenForm, string>>;
}

export interface Boots {
  epoch: () => Epoch;
  of: (page: ChosenPage, tenant: ProviderRecord | null) => Boot;
  formToken: (page: ChosenPage) => string;
}

/** The views of a page's clinic and its host's; one where they are the same. */
export function readProviders(
  page: ChosenPage,
  tenant: ProviderRecord | null,
): { tenant: TenantView | null; provider: TenantView | null } {
  const record = pageProvider(page);
  const view = tenant === null ? null : viewOf(tenant);
  if (record === null) return { tenant: view, provider: null };
  return { tenant: view, provider: record.json === tenant?.json ? view : viewOf(record) };
}

/** The page and its host's clinic with their records read. */
function readRecords(
  page: ChosenPage,
  record: ProviderRecord | null,
): { tenant: TenantView | null; page: PageData } {
  const { tenant, provider } = readProviders(page, record);
  if (page.kind === 'success') return { tenant, page: { ...page, provider } };
  if (page.kind !== 'microsite') return { tenant, page };
  if (provider === null) throw new Error('a microsite is of a clinic');
  return { tenant, page: { ...page, provider } };
}

/** Makes what a page is drawn from. Tokens are issued once per form and hour, so that equal requests get equal bytes. */
export function createBoots({
  config,
  formTokens,
  now,
}: Pick<Services, 'config' | 'formTokens' | 'now'>): Boots {
  const site = publicConfig(config);
  let current: Epoch = { hour: -1, today: '', tokens: {} };

  function epoch(): Epoch {
    const at = now();
    const hour = Math.floor(at.getTime() / epochMs);
    if (hour !== current.hour) current = { hour, today: at.toISOString().slice(0, 10), tokens: {} };
    return current;
  }

  function formToken(page: ChosenPage): string {
    const { form } = pages[page.kind];
    if (form === undefined) return '';
    const { tokens } = epoch();
    return (tokens[form] ??= formTokens.issue(form));
  }

  return {
    epoch,
    formToken,
    of: (page, tenant) => ({
      ...readRecords(page, tenant),
      site,
      formToken: formToken(page),
      today: epoch().today,
    }),
  };
}
