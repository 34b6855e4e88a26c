import { styled } from 'styled-components';
import { media } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { HeroBand, HeroFacts, HeroLayout, HeroSentence } from '#client/sections/kit/HeroBand.tsx';
import { DisplayTitle, Eyebrow } from '#client/ui/Section.tsx';
import { recruitmentCalls, recruitmentHero } from '#shared/brand/recruitment.ts';
import { paths, providerFormAnchor } from '#shared/pages/paths.ts';
import { ServiceArea } from './ServiceArea.tsx';

/** One promise, two calls to action, and what an applicant wants to know first. */
export function RecruitmentHero() {
  const { eyebrow, title, lead, factsLabel, facts } = recruitmentHero;
  return (
    <HeroBand aria-labelledby="recruitment-title">
      <HeroLayout>
        <div>
          <Eyebrow>{eyebrow}</Eyebrow>
          <Headline id="recruitment-title">{title}</Headline>
          <HeroSentence>{lead}</HeroSentence>
          <Calls>
            <ButtonLink href={`#${providerFormAnchor}`} size="large">
              {recruitmentCalls.become}
            </ButtonLink>
            <ButtonLink href={paths.map} size="large" variant="secondary">
              {recruitmentCalls.viewMap}
            </ButtonLink>
          </Calls>
        </div>
        <ServiceArea />
        <HeroFacts label={factsLabel} facts={facts} />
      </HeroLayout>
    </HeroBand>
  );
}

const Headline = styled(DisplayTitle)`
  max-inline-size: 9em;
`;

const Calls = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem;

  & > a {
    flex: 1 1 14rem;

    ${media.tablet} {
      flex: 0 1 14rem;
    }
  }
`;
