import { LazyCalculator } from '#client/features/calculator/LazyCalculator.tsx';
import { ClosingBand } from '#client/features/closingBand/ClosingBand.tsx';
import { FaqSection } from '#client/features/faqSection/FaqSection.tsx';
import { Hero } from '#client/features/hero/Hero.tsx';
import { HowItWorks } from '#client/features/howItWorks/HowItWorks.tsx';
import { LeadForm } from '#client/features/leadForm/LeadForm.tsx';
import { offerZip } from '#client/features/leadForm/offerZip.ts';
import { PromoBanner } from '#client/features/promoBanner/PromoBanner.tsx';
import { Trust } from '#client/features/trust/Trust.tsx';
import { useAddressWithoutOutcome } from '#client/landingAddress.ts';

/** The brand's landing page. */
export function LandingPage() {
  useAddressWithoutOutcome();
  return (
    <>
      <PromoBanner />
      <Hero onZip={offerZip} />
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
