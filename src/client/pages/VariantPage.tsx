import { LeadForm } from '#client/features/leadForm/LeadForm.tsx';
import { Comparison } from '#client/features/variant/Comparison.tsx';
import { FirstCall } from '#client/features/variant/FirstCall.tsx';
import { PressStrip } from '#client/features/variant/PressStrip.tsx';
import { PrivacyFacts } from '#client/features/variant/PrivacyFacts.tsx';
import { Treatment } from '#client/features/variant/Treatment.tsx';
import { VariantForm } from '#client/features/variant/VariantForm.tsx';
import { VariantHero } from '#client/features/variant/VariantHero.tsx';
import { useAddressWithoutOutcome } from '#client/landingAddress.ts';

/** The landing page told another way: the form early, then what a man who hesitates wants to know. */
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
