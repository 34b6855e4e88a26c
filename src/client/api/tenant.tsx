import { createContext, useContext } from 'react';
import type { Boot, PageData } from '#shared/pages/boot.ts';
import type { PublicConfig } from '#shared/pages/site.ts';
import type { TenantView } from '#shared/providers/tenant.ts';

const BootContext = createContext<Boot | null>(null);

/** Hands the server's boot data to the tree. `page` in it follows client navigation. */
export const BootProvider = BootContext.Provider;

export function useBoot(): Boot {
  const boot = useContext(BootContext);
  if (boot === null) throw new Error('useBoot needs a BootProvider above it');
  return boot;
}

/** The clinic whose own host this is; null on the brand's site. */
export function useTenant(): TenantView | null {
  return useBoot().tenant;
}

/** The clinic a page is drawn for: the host's own, or the one picked by `?providerId=` on the main site. */
export function useProvider(): TenantView | null {
  const { tenant, page } = useBoot();
  return page.kind === 'microsite' ? page.provider : tenant;
}

/** Whether the site shown has ad accounts: the clinic's on its pages, else the brand's. */
export function useMeasuresAds(): boolean {
  const { measuresAds } = useSite();
  return useProvider()?.measuresAds ?? measuresAds;
}

export function useSite(): PublicConfig {
  return useBoot().site;
}

/** The data of the page being drawn. Throws when the page is of another kind: a page component is only ever drawn for its own. */
export function usePage<Kind extends PageData['kind']>(kind: Kind): Extract<PageData, { kind: Kind }> {
  const { page } = useBoot();
  if (!isKind(page, kind)) throw new Error(`The page is ${page.kind}, not ${kind}`);
  return page;
}

function isKind<Kind extends PageData['kind']>(
  page: PageData,
  kind: Kind,
): page is Extract<PageData, { kind: Kind }> {
  return page.kind === kind;
}
