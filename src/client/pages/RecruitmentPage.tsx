import { styled } from 'styled-components';
import { useCopy } from '#client/api/tenant.tsx';
import { ApplicationForm } from '#client/forms/application/ApplicationForm.tsx';
import { FaqSection } from '#client/sections/FaqSection.tsx';
import { SectionRuler } from '#client/sections/kit/SectionRuler.tsx';
import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';
import { AreaQuestion } from '#client/sections/recruitment/AreaQuestion.tsx';
import { ApplicationBand } from '#client/sections/recruitment/ApplicationBand.tsx';
import {
  GetStarted,
  KeyPoints,
  PracticeGrowth,
  Research,
} from '#client/sections/recruitment/FactSections.tsx';
import { ProtocolParts, VideoFacade } from '#client/sections/recruitment/VideoFacade.tsx';
import { RecruitmentHero } from '#client/sections/recruitment/RecruitmentHero.tsx';
import { SpecialOffer, TestimonialQuote } from '#client/sections/recruitment/OptionalSections.tsx';
import { RecruitmentMap } from '#client/sections/recruitment/RecruitmentMap.tsx';
import { explainerVideo, testimonial } from '#shared/brand/placeholders.ts';
import {
  explainer,
  getStarted,
  keyPoints,
  practiceGrowth,
  providerNetwork,
  recruitmentFaq,
  research,
} from '#shared/brand/recruitment.ts';

/** Explains to clinics what it means to become a provider, and takes their application. */
export function RecruitmentPage() {
  return (
    <>
      <RecruitmentHero />
      <SectionRuler
        sections={[
          explainer,
          keyPoints,
          research,
          providerNetwork,
          practiceGrowth,
          getStarted,
          recruitmentFaq,
        ]}
      />
      <Explainer />
      <KeyPoints />
      <TestimonialQuote testimonial={testimonial}>
        <Research />
      </TestimonialQuote>
      <ProviderNetwork />
      <PracticeGrowth />
      <GetStarted />
      <SpecialOffer>
        <FaqSection copy={recruitmentFaq} />
      </SpecialOffer>
      <ApplicationBand>
        <ApplicationForm />
      </ApplicationBand>
    </>
  );
}

/** What the protocol is: the brand's video, or drawings of its parts if there is none. */
function Explainer() {
  const copy = useCopy(explainer);
  return (
    <SplitSection copy={copy} titleId="explainer-title" layout="wide">
      {explainerVideo === null ? <ProtocolParts /> : <VideoFacade video={explainerVideo} />}
    </SplitSection>
  );
}

function ProviderNetwork() {
  return (
    <TitledSection copy={providerNetwork} titleId="provider-network-title">
      <AreaQuestion />
      <MapBox>
        <RecruitmentMap />
      </MapBox>
    </TitledSection>
  );
}

const MapBox = styled.div`
  margin-block-start: 2.5rem;
`;
