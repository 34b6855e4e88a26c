import { styled } from 'styled-components';
import { callToAction } from '#shared/brand/calls.ts';
import { howItWorks } from '#shared/brand/landing.ts';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { StudyText } from '#client/sections/kit/StudyNote.tsx';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';
import { SmallTitle } from '#client/ui/text.tsx';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import { StepDrawing } from './StepDrawing.tsx';

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
  line-height: 1.6;
  text-wrap: pretty;
`;

const Call = styled(ButtonLink)`
  inline-size: 100%;
  padding-inline: 1rem;

  ${media.tablet} {
    inline-size: auto;
    padding-inline: 2rem;
  }
`;
