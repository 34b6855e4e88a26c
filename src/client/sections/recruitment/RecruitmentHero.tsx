import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { HeroFigure, HeroBand, HeroFacts, HeroLayout, HeroSentence } from '#client/sections/kit/HeroBand.tsx';
import { DisplayTitle, Eyebrow } from '#client/ui/Section.tsx';
import { useCopy } from '#client/api/tenant.tsx';
import { recruitmentCalls, recruitmentHero } from '#shared/brand/recruitment.ts';
import { paths, providerFormAnchor } from '#shared/pages/paths.ts';

/** One promise, two calls to action, and what an applicant wants to know first. */
export function RecruitmentHero() {
  const { eyebrow, title, lead, factsLabel, facts } = useCopy(recruitmentHero);
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

const center = 232;
const rings = [70, 126, 182];
/** People around the practice: where the line from each starts. */
const people = [
  { x: 118, y: 138 },
  { x: 204, y: 66 },
  { x: 338, y: 122 },
  { x: 392, y: 262 },
  { x: 300, y: 352 },
  { x: 166, y: 386 },
  { x: 76, y: 282 },
  { x: 182, y: 188 },
  { x: 296, y: 214 },
];

/** The point of a line from a person at which it meets the pin's edge. */
function edge({ x, y }: { x: number; y: number }): { x: number; y: number } {
  const away = Math.hypot(x - center, y - center);
  const reach = 40 / away;
  return { x: Math.round(center + (x - center) * reach), y: Math.round(center + (y - center) * reach) };
}

/** A practice, the distances around it and the people in them. The caption says what it means. */
function ServiceArea() {
  return (
    <Drawing>
      <svg viewBox="0 0 464 464" aria-hidden="true">
        {rings.map((radius) => (
          <circle key={radius} className="ring" cx={center} cy={center} r={radius} />
        ))}
        <circle className="ticks" cx={center} cy={center} r="208" pathLength="100" />
        {people.map((person) => (
          <g key={`${person.x} ${person.y}`}>
            <line className="way" x1={person.x} y1={person.y} x2={edge(person).x} y2={edge(person).y} />
            <circle className="person" cx={person.x} cy={person.y} r="9" />
          </g>
        ))}
        <path
          className="pin"
          d="M232 268c-3 0-5-1-7-4-13-17-25-30-25-47a32 32 0 0 1 64 0c0 17-12 30-25 47-2 3-4 4-7 4Z"
        />
        <circle className="eye" cx={center} cy="217" r="11" />
      </svg>
      <figcaption>{recruitmentHero.drawingCaption}</figcaption>
    </Drawing>
  );
}

const Drawing = styled(HeroFigure)`
  & .ring,
  & .ticks,
  & .way {
    fill: none;
    stroke: currentcolor;
  }

  & .ring {
    opacity: 0.28;
    stroke-width: 1.5;
  }

  & .ticks {
    opacity: 0.5;
    stroke-dasharray: 0.12 0.88;
    stroke-width: 10;
  }

  & .way {
    opacity: 0.55;
    stroke-dasharray: 2 7;
    stroke-linecap: round;
    stroke-width: 2;
  }

  & .person {
    fill: ${token.background};
    stroke: currentcolor;
    stroke-width: 2;
  }

  & .pin {
    fill: currentcolor;
  }

  & .eye {
    fill: ${token.background};
  }

  /* Drawings keep their colors there, possibly white on white. */
  @media (forced-colors: active) {
    & .ring,
    & .ticks,
    & .way {
      stroke: CanvasText;
    }

    & .person {
      fill: Highlight;
    }

    & .pin {
      fill: CanvasText;
    }

    & .eye {
      fill: Canvas;
    }
  }
`;
