import { Hero } from '#client/sections/hero/Hero.tsx';
import { PromoBanner } from '#client/sections/PromoBanner.tsx';
import { useAddressWithoutOutcome } from '#client/browser/location.ts';
import { deferred, lazyForVisitor } from '#client/ui/deferred.tsx';

const loadRest = async () => (await import('./LandingRest.tsx')).LandingRest;

/** Loaded before rendering on the server, which cannot wait. */
const LandingRest = deferred(import.meta.env.SSR ? await loadRest() : lazyForVisitor(loadRest));

/** The brand's landing page. All but its first screen is deferred. */
export function LandingPage() {
  useAddressWithoutOutcome();
  return (
    <>
      <PromoBanner />
      <Hero />
      <LandingRest />
    </>
  );
}
