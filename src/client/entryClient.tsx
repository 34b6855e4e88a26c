import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { type PackedBoot, unpackBoot } from '#shared/boot.ts';
import { App } from './App.tsx';
import { rememberAttribution } from './features/leadForm/attribution.ts';
import { loadPage } from './routes.tsx';

/** Brings the server's page to life, once the code of that one screen is here. */
async function main(): Promise<void> {
  const root = document.getElementById('root');
  const text = document.getElementById('boot')?.textContent;
  if (root === null || text === undefined || text === null) throw new Error('The page carries no boot data');
  const packed: PackedBoot = JSON.parse(text);
  const boot = unpackBoot(packed);
  rememberAttribution();
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
