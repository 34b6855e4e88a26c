import { type ComponentType, lazy } from 'react';
import { deferred, forVisitor, hasActed } from '#client/ui/deferred.tsx';
import type { Boot, PageData } from '#shared/pages/boot.ts';
import { type PageKind, routePage } from '#shared/pages/pages.ts';

interface PageCode {
  /** The page's component. Until `load` it loads itself when it is rendered, which only works in the browser. */
  Page: ComponentType;
  /** The same for the page that the server sent. */
  First: ComponentType;
  /** Whether `First` stays the server's HTML until the visitor does anything (ui/deferred.tsx). */
  isDeferred: boolean;
  /** Loads the component before its first render, which then doesn't wait. */
  load: () => Promise<void>;
}

function page(load: () => Promise<ComponentType>): PageCode {
  const Lazy = lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      // A new version replaced the code, or the network is down: the server sends the page instead.
      window.location.reload();
      return new Promise<never>(() => {});
    }
  });
  const code: PageCode = {
    Page: Lazy,
    First: Lazy,
    isDeferred: false,
    load: async () => {
      code.Page = await load();
      code.First = code.Page;
    },
  };
  return code;
}

/** A page that needs no code before somebody uses it, or whose code may follow header and footer. */
function deferredPage(load: () => Promise<ComponentType>, wait?: () => Promise<void>): PageCode {
  const { Part, loadNow } = forVisitor(load, wait);
  const code: PageCode = {
    ...page(load),
    First: deferred(Part),
    isDeferred: true,
    load: async () => {
      await loadNow();
      code.Page = await load();
    },
  };
  return code;
}

/** Loads what the first render of the server's page needs. A deferred page stays the server's HTML if that fails. */
export async function loadFirst(kind: PageKind): Promise<void> {
  const { isDeferred, load } = pageCode[kind];
  if (!isDeferred) await load();
  else if (hasActed()) await load().catch(() => undefined);
}

const notFound = deferredPage(async () => (await import('../pages/NotFoundPage.tsx')).NotFoundPage);

/** Page components in lazy chunks. The server finds `landing` as LandingPage.tsx (server/render/bundle.ts). */
export const pageCode: Record<PageKind, PageCode> = {
  landing: page(async () => (await import('../pages/LandingPage.tsx')).LandingPage),
  variant: deferredPage(async () => (await import('../pages/VariantPage.tsx')).VariantPage),
  quiz: deferredPage(async () => (await import('../pages/QuizPage.tsx')).QuizPage),
  find: deferredPage(async () => (await import('../pages/FindPage.tsx')).FindPage),
  recruitment: deferredPage(async () => (await import('../pages/RecruitmentPage.tsx')).RecruitmentPage),
  map: deferredPage(async () => (await import('../pages/MapPage.tsx')).MapPage),
  directory: deferredPage(async () => (await import('../pages/DirectoryPage.tsx')).DirectoryPage),
  // Its map starts by itself.
  location: deferredPage(
    async () => (await import('../pages/LocationPage.tsx')).LocationPage,
    () => Promise.resolve(),
  ),
  microsite: deferredPage(async () => (await import('../pages/MicrositePage.tsx')).MicrositePage),
  // It deletes what the form kept of the person, and completes itself with what the tab knows of the lead.
  success: deferredPage(
    async () => (await import('../pages/SuccessPage.tsx')).SuccessPage,
    () => Promise.resolve(),
  ),
  study: deferredPage(async () => (await import('../pages/StudyPage.tsx')).StudyPage),
  policy: deferredPage(async () => (await import('../pages/PolicyPage.tsx')).PolicyPage),
  admin: page(async () => (await import('../pages/AdminPage.tsx')).AdminPage),
  providerNotFound: notFound,
  notFound,
};

/** By the browser's clock. The server's hides the offer later (sections/recruitment/useCountdown.ts). */
function isPast(instant: string | null): boolean {
  return instant !== null && Date.parse(instant) <= Date.now();
}

/**
 * The page of an address reached without a full load. Null where only the server knows it (a provider by id, an unknown
 * path): the browser must load the address.
 */
export function pageDataFor(path: string, query: string, { site, tenant }: Boot): PageData | null {
  const route = routePage({ path, query, site: tenant === null ? 'main' : 'tenant' });
  if ('redirect' in route || route.kind === 'admin' || route.kind === 'directory' || route.kind === 'map')
    return null;
  if (route.kind === 'notFound' || route.kind === 'providerNotFound') return null;
  if (route.kind === 'location') return tenant === null ? null : { kind: 'location', provider: tenant };
  if (route.kind === 'microsite')
    return tenant === null ? null : { kind: 'microsite', provider: tenant, form: null };
  if (route.kind === 'success') {
    const { kind, noProvider, provider, isBare } = route;
    const ownId = isBare ? null : (tenant?.id ?? null);
    return {
      kind,
      noProvider,
      providerId: provider === 'tenant' ? ownId : provider,
      provider: tenant,
    };
  }
  if (route.kind === 'recruitment') return { ...route, form: null, isOfferOver: isPast(site.offerEndsAt) };
  return route;
}
