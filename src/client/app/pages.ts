import type { ComponentType } from 'react';
import type { Boot, PageData } from '#shared/pages/boot.ts';
import { paths } from '#shared/pages/paths.ts';

type PageKind = PageData['kind'];

/** Components of the pages loaded so far. */
export type PageComponents = Partial<Record<PageKind, ComponentType>>;

/** Source module of each screen, so that the server can preload the chunk of the one it sends. */
export const pageModules: Record<PageKind, string> = {
  landing: 'src/client/pages/LandingPage.tsx',
  variant: 'src/client/pages/VariantPage.tsx',
  quiz: 'src/client/pages/QuizPage.tsx',
  find: 'src/client/pages/FindPage.tsx',
  recruitment: 'src/client/pages/RecruitmentPage.tsx',
  map: 'src/client/pages/MapPage.tsx',
  microsite: 'src/client/pages/MicrositePage.tsx',
  success: 'src/client/pages/SuccessPage.tsx',
  policy: 'src/client/pages/PolicyPage.tsx',
  admin: 'src/client/pages/AdminPage.tsx',
  providerNotFound: 'src/client/pages/ProviderNotFoundPage.tsx',
  notFound: 'src/client/pages/NotFoundPage.tsx',
};

/** The same screens, each its own chunk, loaded when it is shown. */
export const loadPage: Record<PageKind, () => Promise<ComponentType>> = {
  landing: async () => (await import('../pages/LandingPage.tsx')).LandingPage,
  variant: async () => (await import('../pages/VariantPage.tsx')).VariantPage,
  quiz: async () => (await import('../pages/QuizPage.tsx')).QuizPage,
  find: async () => (await import('../pages/FindPage.tsx')).FindPage,
  recruitment: async () => (await import('../pages/RecruitmentPage.tsx')).RecruitmentPage,
  map: async () => (await import('../pages/MapPage.tsx')).MapPage,
  microsite: async () => (await import('../pages/MicrositePage.tsx')).MicrositePage,
  success: async () => (await import('../pages/SuccessPage.tsx')).SuccessPage,
  policy: async () => (await import('../pages/PolicyPage.tsx')).PolicyPage,
  admin: async () => (await import('../pages/AdminPage.tsx')).AdminPage,
  providerNotFound: async () => (await import('../pages/ProviderNotFoundPage.tsx')).ProviderNotFoundPage,
  notFound: async () => (await import('../pages/NotFoundPage.tsx')).NotFoundPage,
};

/** By the browser's own clock: the offer hides anyway once the server's is known (features/specialOffer). */
function isPast(instant: string | null): boolean {
  return instant !== null && Date.parse(instant) <= Date.now();
}

/**
 * The page for an address reached without asking the server, as far as the browser can know it; null where only the server can say
 * (another clinic's microsite, an unknown path), and the browser should load the address.
 */
export function pageAt(path: string, search: string, boot: Boot): PageData | null {
  const query = new URLSearchParams(search);
  switch (path) {
    case paths.home:
    case paths.microsite:
      if (boot.tenant !== null) return { kind: 'microsite', provider: boot.tenant, form: null };
      return path === paths.home && !query.has('providerId') ? { kind: 'landing', form: null } : null;
    case paths.variant:
      return { kind: 'variant', form: null };
    case paths.quiz:
      return { kind: 'quiz', form: null };
    case paths.find:
      return { kind: 'find', form: null };
    case paths.recruitment:
      return {
        kind: 'recruitment',
        form: null,
        applied: query.get('applied') === 'true',
        isOfferOver: isPast(boot.site.offerEndsAt),
      };
    case paths.map:
      return { kind: 'map', listed: null };
    case paths.success: {
      if (boot.tenant !== null)
        return { kind: 'success', noProvider: false, providerId: boot.tenant.id, provider: boot.tenant };
      const noProvider = query.get('noProvider') === 'true';
      const providerId = Number(query.get('providerId') ?? '');
      return {
        kind: 'success',
        noProvider,
        providerId: Number.isSafeInteger(providerId) && providerId > 0 ? providerId : null,
        provider: null,
      };
    }
    case paths.privacy:
      return { kind: 'policy', policy: 'privacy' };
    case paths.terms:
      return { kind: 'policy', policy: 'terms' };
    case paths.refunds:
      return { kind: 'policy', policy: 'refunds' };
    default:
      return null;
  }
}
