import { ApplicationForm } from '#client/features/applicationForm/ApplicationForm.tsx';
import { FaqSection } from '#client/features/faqSection/FaqSection.tsx';
import { ApplicationBand } from '#client/features/recruitment/ApplicationBand.tsx';
import { ExplainerSection } from '#client/features/recruitment/ExplainerSection.tsx';
import { GetStarted } from '#client/features/recruitment/GetStarted.tsx';
import { KeyPoints } from '#client/features/recruitment/KeyPoints.tsx';
import { PracticeGrowth } from '#client/features/recruitment/PracticeGrowth.tsx';
import { ProviderNetwork } from '#client/features/recruitment/ProviderNetwork.tsx';
import { RecruitmentHero } from '#client/features/recruitment/RecruitmentHero.tsx';
import { Research } from '#client/features/recruitment/Research.tsx';
import { SpecialOffer } from '#client/features/recruitment/SpecialOffer.tsx';
import { TestimonialQuote } from '#client/features/recruitment/TestimonialQuote.tsx';
import { RecruitmentMap } from '#client/features/recruitmentMap/RecruitmentMap.tsx';
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
      <FaqSection words={recruitmentFaq} />
      <ApplicationBand>
        <ApplicationForm />
      </ApplicationBand>
    </>
  );
}
