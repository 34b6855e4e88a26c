import { type ComponentType, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { PolicyLinks } from '#client/sections/legal/PolicyLinks.tsx';
import { SiteFooter } from '#client/sections/siteChrome/SiteFooter.tsx';
import { SiteHeader } from '#client/sections/siteChrome/SiteHeader.tsx';
import { usePathname, useQuery } from '#client/browser/location.ts';
import { onTouch } from '#client/forms/lead/leadEvents.ts';
import { GlobalStyle } from '#client/theme/GlobalStyle.ts';
import { LabelsProvider } from '#client/ui/labels.ts';
import { showWhenLoaded } from '#client/ui/deferred.tsx';
import { SkipLink } from '#client/ui/Section.tsx';
import { ToastSlot } from '#client/ui/Toast.tsx';
import { chrome } from '#shared/brand/chrome.ts';
import { messages } from '#shared/brand/messages.ts';
import type { Boot, PageData } from '#shared/pages/boot.ts';
import { pageDataFor, pageCode } from './pageCode.ts';
import { BootProvider, useMeasuresAds } from '../api/tenant.tsx';
import { token } from '#client/theme/tokens.ts';
import { Container, VisuallyHidden } from '#client/ui/Section.tsx';

const mainId = 'main';

export function App({ boot }: { boot: Boot }) {
  const page = useCurrentPage(boot);
  const current = useMemo(() => ({ ...boot, page }), [boot, page]);
  const mainRef = useArrival(current);
  useConfirmationAhead();
  // The dashboard has its own frame.
  const isAdmin = page.kind === 'admin';
  const { Page, First } = pageCode[page.kind];
  return (
    <BootProvider value={current}>
      <LabelsProvider value={messages}>
        <GlobalStyle />
        {isAdmin ? null : (
          <>
            <SkipLink href={`#${mainId}`}>{chrome.skipLink}</SkipLink>
            <AdConsentSlot />
            <SiteHeader />
          </>
        )}
        <Main id={mainId} tabIndex={-1} ref={mainRef}>
          <Suspense fallback={<PageSkeleton />}>
            {page === boot.page ? <First /> : <Page />}
            <Live />
          </Suspense>
        </Main>
        {isAdmin ? null : <SiteFooter policyLinks={<PolicyLinks />} />}
        <ToastSlot />
      </LabelsProvider>
    </BootProvider>
  );
}

/** The consent bar. All code that knows of ads is loaded after the page, and only on a site that has ad accounts. */
function AdConsentSlot() {
  const measuresAds = useMeasuresAds();
  const [AdConsent, setAdConsent] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (!measuresAds) return;
    // Without the code, nobody is asked and nothing is reported.
    import('#client/sections/adConsent/AdConsent.tsx').then(
      (loaded) => setAdConsent(() => loaded.AdConsent),
      () => undefined,
    );
  }, [measuresAds]);
  return AdConsent === null ? null : <AdConsent />;
}

/** Loads the confirmation's code while a visitor fills in a form. */
function useConfirmationAhead(): void {
  useEffect(
    () =>
      onTouch(() => {
        // It is loaded again when the page is shown.
        pageCode.success.load().catch(() => undefined);
      }),
    [],
  );
}

/** Marks the document once the page is interactive. Until then the browser handles clicks. */
function Live() {
  useEffect(() => {
    document.documentElement.dataset['live'] = '';
  }, []);
  return null;
}

/** The server's page until the path changes, then the page of the new path. */
function useCurrentPage(boot: Boot): PageData {
  const path = usePathname();
  const query = useQuery();
  const [firstPath] = useState(path);
  const page = useMemo(
    () => (path === firstPath ? boot.page : pageDataFor(path, query, boot)),
    [path, query, firstPath, boot],
  );
  useEffect(() => {
    if (page === null) window.location.reload();
  }, [page]);
  return page ?? boot.page;
}

/** After a client navigation sets the window's title and moves to the top of the page, as a full load does. */
function useArrival(boot: Boot) {
  const ref = useRef<HTMLElement>(null);
  const shown = useRef(boot.page);
  useEffect(() => {
    if (shown.current === boot.page) return undefined;
    shown.current = boot.page;
    window.scrollTo({ top: 0, behavior: 'instant' });
    ref.current?.focus({ preventScroll: true });
    // Without the texts of all titles, the former one stays.
    const titles = import('./pageTitle.ts').catch(() => null);
    return showWhenLoaded(titles, (loaded) => {
      document.title = loaded?.pageTitle(boot) ?? document.title;
    });
  }, [boot]);
  return ref;
}

const Main = styled.main`
  /* The footer stays below the fold while a page's code arrives. */
  min-block-size: 70dvh;
`;

/** The place of a page whose code is loading. */
function PageSkeleton() {
  return (
    <Place>
      <VisuallyHidden as="output">{messages.loading}</VisuallyHidden>
      <Bar $inlineSize="min(100%, 22rem)" $blockSize="3rem" />
      <Bar $inlineSize="min(100%, 34rem)" $blockSize="1.25rem" />
      <Bar $inlineSize="min(100%, 34rem)" $blockSize="14rem" />
    </Place>
  );
}

const Place = styled(Container)`
  display: grid;
  gap: 1.5rem;
  padding-block: 4rem;
`;

const Bar = styled.div<{ $inlineSize: string; $blockSize: string }>`
  inline-size: ${({ $inlineSize }) => $inlineSize};
  block-size: ${({ $blockSize }) => $blockSize};
  border-radius: ${token.radius};
  background: ${token.tint};
`;
