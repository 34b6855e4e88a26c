import { LazyCalculator } from '#client/sections/calculator/LazyCalculator.tsx';
import { ClosingBand } from '#client/sections/closingBand/ClosingBand.tsx';
import { FaqSection } from '#client/sections/FaqSection.tsx';
import { HowItWorks } from '#client/sections/howItWorks/HowItWorks.tsx';
import { LeadForm } from '#client/forms/lead/LeadForm.tsx';
import { SectionRuler } from '#client/sections/kit/SectionRuler.tsx';
import { calculator, closingBand, faq, howItWorks, trust } from '#shared/brand/landing.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import { Trust } from '#client/sections/Trust.tsx';

/** The landing page below its hero. */
export function LandingRest() {
  return (
    <>
      <SectionRuler
        sections={[howItWorks, trust, calculator, faq, { ...closingBand, id: providerFormAnchor }]}
      />
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
