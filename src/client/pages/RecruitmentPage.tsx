import { ApplicationForm } from '#client/forms/application/ApplicationForm.tsx';
import { FaqSection } from '#client/sections/FaqSection.tsx';
import { ApplicationBand } from '#client/sections/recruitment/ApplicationBand.tsx';
import { ExplainerSection } from '#client/sections/recruitment/ExplainerSection.tsx';
import { GetStarted } from '#client/sections/recruitment/GetStarted.tsx';
import { KeyPoints } from '#client/sections/recruitment/KeyPoints.tsx';
import { PracticeGrowth } from '#client/sections/recruitment/PracticeGrowth.tsx';
import { ProviderNetwork } from '#client/sections/recruitment/ProviderNetwork.tsx';
import { RecruitmentHero } from '#client/sections/recruitment/RecruitmentHero.tsx';
import { Research } from '#client/sections/recruitment/Research.tsx';
import { SpecialOffer } from '#client/sections/recruitment/SpecialOffer.tsx';
import { TestimonialQuote } from '#client/sections/recruitment/TestimonialQuote.tsx';
import { RecruitmentMap } from '#client/sections/recruitment/RecruitmentMap.tsx';
import { explainerVideo, testimonial } from '#shared/brand/placeholders.ts';
import { recruitmentFaq } from '#shared/brand/recruitment.ts';

/** Where clinics read what it means to become a provider, and apply. */
export function RecruitmentPage() {
  return (
    <>
      <RecruitmentHero />
      <ExplainerSection video={explainerVideo} />
      <KeyPoints />
      <TestimonialQuote testimonial={testimonial} />
      <Research />
      <ProviderNetwork>
        <RecruitmentMap />
      </ProviderNetwork>
      <PracticeGrowth />
      <GetStarted />
      <SpecialOffer />
      <FaqSection copy={recruitmentFaq} />
      <ApplicationBand>
        <ApplicationForm />
      </ApplicationBand>
    </>
  );
}
