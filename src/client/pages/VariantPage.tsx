import { LeadForm } from '#client/forms/lead/LeadForm.tsx';
import { Comparison } from '#client/sections/variant/Comparison.tsx';
import { FirstCall } from '#client/sections/variant/FirstCall.tsx';
import { PressStrip } from '#client/sections/variant/PressStrip.tsx';
import { PrivacyFacts } from '#client/sections/variant/PrivacyFacts.tsx';
import { Treatment } from '#client/sections/variant/Treatment.tsx';
import { VariantForm } from '#client/sections/variant/VariantForm.tsx';
import { VariantHero } from '#client/sections/variant/VariantHero.tsx';
import { useAddressWithoutOutcome } from '#client/browser/landingUrl.ts';

/** A variant of the landing page: the form early, then answers for visitors who hesitate. */
export function VariantPage() {
  useAddressWithoutOutcome();
  return (
    <>
      <VariantHero />
      <VariantForm>
        <LeadForm form="landing" />
      </VariantForm>
      <Treatment />
      <PressStrip />
      <FirstCall />
      <Comparison />
      <PrivacyFacts />
    </>
  );
}
