import { styled } from 'styled-components';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Figure, FigureHead } from '#client/sections/kit/GainFigure.tsx';
import { HeroFacts, HeroLayout, HeroSentence, HeroTitle } from '#client/sections/kit/HeroBand.tsx';
import { Span } from '#client/ui/Span.tsx';
import { useCopy, usePage } from '#client/api/tenant.tsx';
import { media } from '#client/theme/tokens.ts';
import { areaQuestion, recruitmentCalls, recruitmentHero } from '#shared/brand/recruitment.ts';
import { matchPreviewTexts } from '#shared/brand/matchPreview.ts';
import { paths, providerFormAnchor } from '#shared/pages/paths.ts';

/** One promise, two calls to action, and what an applicant wants to know first. */
export function RecruitmentHero() {
  const { eyebrow, title, lead, factsLabel, facts, fromVisitor } = useCopy(recruitmentHero);
  const page = usePage('recruitment');
  return (
    <HeroLayout aria-labelledby="recruitment-title">
      <HeroTitle id="recruitment-title">{title}</HeroTitle>
      <div>
        <HeroSentence>
          {page.fromVisitor ? (
            <b>
              {fromVisitor} <a href={`#${areaQuestion.id}`}>{areaQuestion.title}</a>
            </b>
          ) : (
            <b>{eyebrow}.</b>
          )}{' '}
          {lead}
        </HeroSentence>
        <Calls>
          <ButtonLink href={`#${providerFormAnchor}`} size="large">
            {recruitmentCalls.become}
          </ButtonLink>
          <ButtonLink href={paths.map} size="large" variant="secondary">
            {recruitmentCalls.viewMap}
          </ButtonLink>
        </Calls>
        {page.fromVisitor ? null : <AreaLink href={`#${areaQuestion.id}`}>{areaQuestion.title}</AreaLink>}
      </div>
      <NearestFigure />
      <HeroFacts label={factsLabel} facts={facts} />
    </HeroLayout>
  );
}

/** Who gets an inquiry: the distances of an example to one scale. Only the nearest span is in ink. */
function NearestFigure() {
  const { name, example, you, other, inquiry, distances, caption } = recruitmentHero.figure;
  const nearest = Math.min(...distances);
  return (
    <Figure>
      <FigureHead>
        <b>{name}</b>
        <span>{example}</span>
      </FigureHead>
      {distances.map((miles) => {
        const isNearest = miles === nearest;
        const text = `${isNearest ? you : other}, ${matchPreviewTexts.miles(miles)}`;
        return (
          <Span
            key={miles}
            label={text}
            end={miles}
            scale={Math.max(...distances)}
            startText={isNearest ? inquiry : undefined}
            endText={text}
            isEmpty={!isNearest}
          />
        );
      })}
      <figcaption>{caption}</figcaption>
    </Figure>
  );
}

const AreaLink = styled.a`
  display: inline-block;
  margin-block-start: 0.5rem;
  padding-block: 0.625rem;
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
