import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { type PackedBoot, unpackBoot } from '#shared/pages/boot.ts';
import { type HiddenClaim, pickHidden } from '#shared/claims/claim.ts';
import { parseUrl } from '#shared/formats/text.ts';
import { App } from './App.tsx';
import { debugLog } from '../browser/log.ts';
import { rememberAttribution } from '../forms/lead/attribution.ts';
import { followFormLinks } from '../forms/lead/prefillZip.ts';
import { rememberServedForms } from '../forms/servedForms.ts';
import { loadPartsInUse, rememberClicks } from '../ui/deferred.tsx';
import { loadFirst } from './pageCode.ts';

/** Restores the page's address (the referrer) after a failed plain post, which is answered at the post's address. */
function returnToPage(): void {
  const page = parseUrl(document.referrer);
  if (location.pathname.startsWith('/api/') && page?.origin === location.origin)
    window.history.replaceState(null, '', `${page.pathname}${page.search}`);
}

/** How the visit started. The page works without it. */
function remember(): void {
  try {
    rememberAttribution();
  } catch (error) {
    debugLog('No attribution:', error);
  }
}

/** The page works: React rendered again what a translation or an extension had changed before. */
function reportReplaced(error: unknown): void {
  debugLog('A part of the page was replaced:', error);
}

/** The wording of claims is only loaded for a page that hides one, which may not render without it. */
async function loadHiddenClaims({ hidden }: PackedBoot): Promise<HiddenClaim[]> {
  if (hidden.length === 0) return [];
  const load = () => import('#shared/brand/claims.ts');
  const { claims } = await load().catch(load);
  return pickHidden(claims, (_, place) => hidden.includes(place));
}

/** Hydrates the server's page once its code is loaded. */
async function main(): Promise<void> {
  rememberClicks();
  rememberServedForms();
  followFormLinks();
  const root = document.getElementById('root');
  const text = document.getElementById('boot')?.textContent;
  if (root === null || text === undefined || text === null) throw new Error('The page carries no boot data');
  const packed: PackedBoot = JSON.parse(text);
  const boot = unpackBoot(packed, await loadHiddenClaims(packed));
  returnToPage();
  remember();
  await loadFirst(boot.page.kind);
  await loadPartsInUse();
  // A transition hydrates in slices, so the page stays responsive.
  startTransition(() => {
    hydrateRoot(
      root,
      <StrictMode>
        <App boot={boot} />
      </StrictMode>,
      { onRecoverableError: reportReplaced },
    );
  });
}

// The server's page works without its code: links, and forms that the browser sends.
main().catch((error: unknown) => debugLog('The page stays as it was sent:', error));
