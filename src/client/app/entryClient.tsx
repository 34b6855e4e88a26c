import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { type PackedBoot, unpackBoot } from '#shared/pages/boot.ts';
import { parseUrl } from '#shared/formats/parseUrl.ts';
import { App } from './App.tsx';
import { debugLog } from '../browser/debugLog.ts';
import { rememberAttribution } from '../forms/lead/attribution.ts';
import { loadPage } from './routes.tsx';

/** A plain post that failed is answered with its page, under the address that was posted to: the page's own, as the browser knows it, comes back. */
function returnToPage(): void {
  const page = parseUrl(document.referrer);
  if (location.pathname.startsWith('/api/') && page?.origin === location.origin)
    window.history.replaceState(null, '', `${page.pathname}${page.search}`);
}

/** How the visit began. A page lives without knowing it. */
function remember(): void {
  try {
    rememberAttribution();
  } catch (error) {
    debugLog('No attribution:', error);
  }
}

/** Brings the server's page to life, once the code of that one screen is here. */
async function main(): Promise<void> {
  const root = document.getElementById('root');
  const text = document.getElementById('boot')?.textContent;
  if (root === null || text === undefined || text === null) throw new Error('The page carries no boot data');
  const packed: PackedBoot = JSON.parse(text);
  const boot = unpackBoot(packed);
  returnToPage();
  remember();
  const pages = { [boot.page.kind]: await loadPage[boot.page.kind]() };
  // As a transition it is done in slices, between which the page answers.
  startTransition(() => {
    hydrateRoot(
      root,
      <StrictMode>
        <App boot={boot} pages={pages} />
      </StrictMode>,
    );
  });
}

void main();
