import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { useLocation, useSearch } from 'wouter';
import { AdConsentSlot } from '#client/sections/adConsent/AdConsentSlot.tsx';
import { PolicyLinks } from '#client/sections/legal/PolicyLinks.tsx';
import { SiteFooter } from '#client/sections/siteChrome/SiteFooter.tsx';
import { SiteHeader } from '#client/sections/siteChrome/SiteHeader.tsx';
import { SkipLink } from '#client/sections/siteChrome/SkipLink.tsx';
import { GlobalStyle } from '#client/theme/GlobalStyle.ts';
import { ToastSlot } from '#client/ui/Toast.tsx';
import type { Boot, PageData } from '#shared/pages/boot.ts';
import { pageTitle } from './pageTitle.ts';
import { loadPage, pageAt, type PageComponents } from './routes.tsx';
import { BootProvider } from '../api/tenant.tsx';

const mainId = 'main';

/** A screen whose code can't be had (a new version replaced it, the network went away) is asked of the server instead. */
function lazyPage(kind: PageData['kind']) {
  return lazy(async () => {
    try {
      return { default: await loadPage[kind]() };
    } catch {
      window.location.reload();
      return new Promise<never>(() => {});
    }
  });
}

/** The screens reached by client navigation. */
const lazyPages = {
  landing: lazyPage('landing'),
  variant: lazyPage('variant'),
  quiz: lazyPage('quiz'),
  find: lazyPage('find'),
  recruitment: lazyPage('recruitment'),
  map: lazyPage('map'),
  microsite: lazyPage('microsite'),
  success: lazyPage('success'),
  policy: lazyPage('policy'),
  admin: lazyPage('admin'),
  providerNotFound: lazyPage('providerNotFound'),
  notFound: lazyPage('notFound'),
} satisfies Required<PageComponents>;

interface AppProps {
  boot: Boot;
  /** On the server all of them, in the browser the one the server sent: what is drawn first must not wait. */
  pages: PageComponents;
}

export function App({ boot, pages }: AppProps) {
  const page = useCurrentPage(boot);
  const current = useMemo(() => ({ ...boot, page }), [boot, page]);
  const mainRef = useArrival(current);
  // The staff's screens have a frame of their own.
  const isAdmin = page.kind === 'admin';
  const Page = pages[page.kind] ?? lazyPages[page.kind];
  return (
    <BootProvider value={current}>
      <GlobalStyle />
      <SkipLink target={mainId} />
      {isAdmin ? null : (
        <>
          <AdConsentSlot />
          <SiteHeader />
        </>
      )}
      <Main id={mainId} tabIndex={-1} ref={mainRef}>
        <Suspense>
          <Page />
          <Live />
        </Suspense>
      </Main>
      {isAdmin ? null : <SiteFooter policyLinks={<PolicyLinks />} />}
      <ToastSlot />
    </BootProvider>
  );
}

/** Marks the document once the screen answers: until then clicks are the browser's own. */
function Live() {
  useEffect(() => {
    document.documentElement.dataset['live'] = '';
  }, []);
  return null;
}

/** The server's page for as long as the path is the one it was asked for, then whatever the new path says. */
function useCurrentPage(boot: Boot): PageData {
  const [path] = useLocation();
  const search = useSearch();
  const [firstPath] = useState(path);
  const page = useMemo(
    () => (path === firstPath ? boot.page : pageAt(path, search, boot)),
    [path, search, firstPath, boot],
  );
  useEffect(() => {
    if (page === null) window.location.reload();
  }, [page]);
  return page ?? boot.page;
}

/** After a client navigation the window has the page's title and a reader starts at its top, as after a full load. */
function useArrival(boot: Boot) {
  const ref = useRef<HTMLElement>(null);
  const shown = useRef(boot.page);
  useEffect(() => {
    if (shown.current === boot.page) return;
    shown.current = boot.page;
    document.title = pageTitle(boot);
    window.scrollTo({ top: 0, behavior: 'instant' });
    ref.current?.focus({ preventScroll: true });
  }, [boot]);
  return ref;
}

const Main = styled.main`
  /* The footer stays below the fold while a page's code arrives. */
  min-block-size: 70dvh;
`;
