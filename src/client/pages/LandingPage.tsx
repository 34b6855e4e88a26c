import { LazyCalculator } from '#client/sections/calculator/LazyCalculator.tsx';
import { ClosingBand } from '#client/sections/closingBand/ClosingBand.tsx';
import { FaqSection } from '#client/sections/FaqSection.tsx';
import { Hero } from '#client/sections/hero/Hero.tsx';
import { HowItWorks } from '#client/sections/howItWorks/HowItWorks.tsx';
import { LeadForm } from '#client/forms/lead/LeadForm.tsx';
import { PromoBanner } from '#client/sections/PromoBanner.tsx';
import { Trust } from '#client/sections/Trust.tsx';
import { useAddressWithoutOutcome } from '#client/browser/landingUrl.ts';

/** The brand's landing page. */
export function LandingPage() {
  useAddressWithoutOutcome();
  return (
    <>
      <PromoBanner />
      <Hero />
      <HowItWorks />
      <Trust />
      <LazyCalculator />
      <FaqSection />
      <ClosingBand>
        <LeadForm form="landing" />
      </ClosingBand>
    </>
  );
}
