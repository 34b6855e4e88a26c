import { createContext, useContext, useMemo } from 'react';
import type { Boot, PageData } from '#shared/pages/boot.ts';
import type { PublicConfig } from '#shared/pages/site.ts';
import { type HiddenClaim, type ShownCopy, withoutClaims } from '#shared/claims/claim.ts';
import type { TenantView } from '#shared/providers/tenant.ts';

const BootContext = createContext<Boot | null>(null);

/** Provides the server's boot data to the tree. `page` in it follows client navigation. */
export const BootProvider = BootContext.Provider;

export function useBoot(): Boot {
  const boot = useContext(BootContext);
  if (boot === null) throw new Error('useBoot needs a BootProvider above it');
  return boot;
}

/** The provider that a page is about: the host's own, or the one of `?providerId=` on the main site. */
export function useProvider(): TenantView | null {
  const { tenant, page } = useBoot();
  return page.kind === 'microsite' ? page.provider : tenant;
}

/** Whether the site has ad accounts: the provider's on its pages, otherwise the brand's. */
export function useMeasuresAds(): boolean {
  const { measuresAds } = useSite();
  return useProvider()?.measuresAds ?? measuresAds;
}

export function useSite(): PublicConfig {
  return useBoot().site;
}

/** Copy without what states a claim that owners hide. */
export function useCopy<Copy>(copy: Copy): ShownCopy<Copy> {
  const { hiddenClaims } = useBoot();
  return useMemo(() => withoutClaims(copy, hiddenClaims), [copy, hiddenClaims]);
}

export function useHiddenClaims(): readonly HiddenClaim[] {
  return useBoot().hiddenClaims;
}

/** The data of the current page. Throws if the page is of another kind. */
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
