import { styled } from 'styled-components';
import { LeadForm } from '#client/forms/lead/LeadForm.tsx';
import { Comparison, FirstCall, PrivacyFacts, Treatment } from '#client/sections/variant/AnswerSections.tsx';
import { PressStrip } from '#client/sections/variant/PressStrip.tsx';
import { VariantHero } from '#client/sections/variant/VariantHero.tsx';
import { useAddressWithoutOutcome } from '#client/browser/location.ts';
import { media, token } from '#client/theme/tokens.ts';
import { Card, Container, Lead, Title } from '#client/ui/Section.tsx';
import { PlainTalk } from '#client/sections/kit/PlainTalk.tsx';
import { NumberedList } from '#client/sections/kit/NumberedList.tsx';
import { SectionRuler } from '#client/sections/kit/SectionRuler.tsx';
import { comparison, firstCall, privacyFacts, treatmentSection, variantForm } from '#shared/brand/variant.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';

const headingId = 'provider-form-title';

/** A variant of the landing page: the form early, then answers for visitors who hesitate. */
export function VariantPage() {
  useAddressWithoutOutcome();
  return (
    <>
      <VariantHero />
      <SectionRuler
        sections={[
          { id: providerFormAnchor, eyebrow: variantForm.title },
          treatmentSection,
          firstCall,
          comparison,
          privacyFacts,
        ]}
      />
      <FormSection />
      <Treatment />
      <PressStrip />
      <FirstCall />
      <Comparison />
      <PrivacyFacts />
    </>
  );
}

/** The banner, and below it the form with the next steps. */
function FormSection() {
  return (
    <Place id={providerFormAnchor} aria-labelledby={headingId}>
      <Banner>{variantForm.banner}</Banner>
      <Columns>
        <div>
          <Title id={headingId}>{variantForm.title}</Title>
          <Lead>{variantForm.lead}</Lead>
        </div>
        <Sheet>
          <LeadForm form="landing" />
        </Sheet>
        <div>
          <NextTitle>{variantForm.nextTitle}</NextTitle>
          <Next items={variantForm.next} />
          <Payment>{variantForm.payment}</Payment>
          <PlainTalk />
        </div>
      </Columns>
    </Place>
  );
}

const Place = styled.section`
  border-block-start: 1px solid ${token.line};
`;

const Banner = styled.p`
  padding: 0.75rem 1.25rem;
  border-block-end: 1px solid ${token.line};
  color: var(--surface-heading);
  font-weight: 600;
  line-height: 1.4;
  text-align: center;
`;

const Columns = styled(Container)`
  display: grid;
  gap: 1.5rem;
  padding-block: 2rem ${token.sectionSpace};

  ${media.desktop} {
    grid-template-columns: minmax(0, 1fr) minmax(0, 32rem);
    grid-template-rows: auto 1fr;
    gap: 2.5rem 5rem;
    padding-block-start: ${token.sectionSpace};
  }
`;

const NextTitle = styled.h3`
  font-size: ${token.textLarge};
  line-height: 1.4;
`;

const Next = styled(NumberedList)`
  margin-block-start: 0.75rem;
`;

const Payment = styled.p`
  padding-block-start: 0.875rem;
  border-block-start: 1px solid var(--surface-line);
  color: var(--surface-muted);
  font-size: 0.9375rem;
`;

const Sheet = styled(Card)`
  align-self: start;

  ${media.tablet} {
    padding: 2.5rem;
  }

  ${media.desktop} {
    grid-column: 2;
    grid-row: 1 / 3;
  }
`;
