import { styled } from 'styled-components';
import { callToAction } from '#shared/brand/calls.ts';
import { howItWorks, type StepKey } from '#shared/brand/landing.ts';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { StudyText } from '#client/sections/kit/StudyNote.tsx';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import type { ReactNode } from 'react';
import { LineDrawing } from '#client/sections/kit/LineDrawing.tsx';

interface HowItWorksProps {
  /** Text of the first step, if it differs. */
  firstStep?: { title: string; text: string };
  callLabel?: string;
}

export function HowItWorks({ firstStep, callLabel = callToAction.claim }: HowItWorksProps) {
  const steps = howItWorks.steps.map((step, index) => (index === 0 ? { ...step, ...firstStep } : step));
  return (
    <TitledSection copy={howItWorks} titleId="how-it-works-title">
      <Steps>
        {steps.map(({ key, title, text }, index) => (
          <Step key={key}>
            <Panel>
              <StepDrawing step={key} />
            </Panel>
            <Name>
              {/* Drawn by its style, so that it is not part of the heading's text. */}
              <Count data-count={index + 1} aria-hidden="true" />
              {title}
            </Name>
            <Text>
              <StudyText text={text} />
            </Text>
          </Step>
        ))}
      </Steps>
      <Call href={`#${providerFormAnchor}`} size="large">
        {callLabel}
      </Call>
    </TitledSection>
  );
}

const Steps = styled.ol`
  display: grid;
  gap: 3rem;
  margin-block: 3rem;

  ${media.tablet} {
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: 1.5rem;
    margin-block: 3.5rem;
  }

  ${media.desktop} {
    gap: 2.5rem;
  }
`;

const Step = styled.li`
  min-inline-size: 0;
`;

const Panel = styled.div`
  display: grid;
  place-items: center;
  padding: 2rem 1rem;
  border-radius: ${token.radius};
  background: ${token.tint};
`;

const Name = styled(SmallTitle)`
  display: flex;
  align-items: baseline;
  gap: 0.625rem;
  margin-block: 1.5rem 0.5rem;
`;

const Count = styled.span`
  color: ${token.accent};
  font-variant-numeric: tabular-nums;

  &::before {
    content: attr(data-count);
  }
`;

const Text = styled.p`
  max-inline-size: 26rem;
`;

const Call = styled(ButtonLink)`
  inline-size: 100%;
  padding-inline: 1rem;

  ${media.tablet} {
    inline-size: auto;
    padding-inline: 2rem;
  }
`;

/** Two speech bubbles. */
const consultation = (
  <>
    <path
      className="ground"
      d="M24 26h76a12 12 0 0 1 12 12v30a12 12 0 0 1-12 12H56L38 94V80H24a12 12 0 0 1-12-12V38a12 12 0 0 1 12-12Z"
    />
    <path d="M30 44h52M30 60h34" />
    <path
      className="sheet"
      d="M104 58h44a12 12 0 0 1 12 12v24a12 12 0 0 1-12 12h-8v13l-16-13h-20a12 12 0 0 1-12-12V70a12 12 0 0 1 12-12Z"
    />
    <path className="light" d="m112 83 9 9 19-19" />
  </>
);

/** One plan with four parts. */
const protocol = (
  <>
    <rect className="ground" x="44" y="20" width="84" height="100" rx="12" />
    <path className="sheet" d="M70 13h32a5 5 0 0 1 5 5v7a5 5 0 0 1-5 5H70a5 5 0 0 1-5-5v-7a5 5 0 0 1 5-5Z" />
    <path d="M80 49h32M80 67h24M80 85h32M80 103h20" />
    <path className="light" d="m58 48 4 4 7-8m-11 22 4 4 7-8m-11 22 4 4 7-8m-11 22 4 4 7-8" />
  </>
);

/** A ruler with two measurements. */
const results = (
  <>
    <rect className="ground" x="8" y="74" width="156" height="40" rx="10" />
    <path d="M26 74v18m12-18v11m12-11v11m12-11v11m12-11v18m12-18v11m12-11v11m12-11v11m12-11v18m12-18v11m12-11v11" />
    <path d="M26 60C26 34 98 34 98 60" strokeDasharray="1 6" />
    <path className="light" d="M26 60C26 14 134 14 134 60m-7-8 7 9 7-9" />
  </>
);

const drawings: Record<StepKey, ReactNode> = { consultation, protocol, results };

/** The drawing of a step. The text beside it says what it means. */
function StepDrawing({ step }: { step: StepKey }) {
  return <Drawing viewBox="0 0 172 128">{drawings[step]}</Drawing>;
}

const Drawing = styled(LineDrawing)`
  inline-size: min(100%, 12rem);
  aspect-ratio: 172 / 128;
`;
