import { LazyCalculator } from '#client/sections/calculator/LazyCalculator.tsx';
import { ClosingBand } from '#client/sections/closingBand/ClosingBand.tsx';
import { FaqSection } from '#client/sections/FaqSection.tsx';
import { HowItWorks } from '#client/sections/howItWorks/HowItWorks.tsx';
import { LeadForm } from '#client/forms/lead/LeadForm.tsx';
import { Trust } from '#client/sections/Trust.tsx';

/** The landing page below its hero. */
export function LandingRest() {
  return (
    <>
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
