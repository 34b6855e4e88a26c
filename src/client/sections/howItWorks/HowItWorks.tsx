import { styled } from 'styled-components';
import { callToAction } from '#shared/brand/calls.ts';
import { howItWorks } from '#shared/brand/landing.ts';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { StudyText } from '#client/sections/kit/StudyNote.tsx';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import { providerFormAnchor } from '#shared/pages/paths.ts';

interface HowItWorksProps {
  /** Text of the first step, if it differs. */
  firstStep?: { title: string; text: string };
  callLabel?: string;
}

/** One span with a station for each step, at its time. */
export function HowItWorks({ firstStep, callLabel = callToAction.claim }: HowItWorksProps) {
  const steps = howItWorks.steps.map((step, index) => (index === 0 ? { ...step, ...firstStep } : step));
  return (
    <TitledSection copy={howItWorks} titleId="how-it-works-title">
      <Steps>
        {steps.map(({ key, when, title, text }) => (
          <Step key={key}>
            <When>{when}</When>
            <SmallTitle>{title}</SmallTitle>
            <p>
              <StudyText text={text} />
            </p>
          </Step>
        ))}
      </Steps>
      <Call href={`#${providerFormAnchor}`} size="large">
        {callLabel}
      </Call>
    </TitledSection>
  );
}

const rail = `1.5px solid ${token.ink}`;

const Steps = styled.ol`
  display: grid;
  margin-block: 2rem;

  ${media.tablet} {
    grid-template-columns: repeat(3, minmax(0, 1fr));
    margin-block: 2.5rem;
  }
`;

/** Its tick, and the span from there to the next one's. The last has none: the span ends. */
const Step = styled.li`
  position: relative;
  min-inline-size: 0;
  padding: 0 0 2rem 2rem;

  &:last-child {
    padding-block-end: 0;
  }

  &::before,
  &::after {
    position: absolute;
    content: '';
  }

  &::before {
    inset-block: 0.625rem -0.625rem;
    inset-inline-start: 7px;
    border-inline-start: ${rail};
  }

  &:last-child::before {
    display: none;
  }

  &::after {
    inset-block-start: 0.625rem;
    inset-inline-start: 0;
    inline-size: 15px;
    border-block-start: ${rail};
  }

  & > p:last-child {
    max-inline-size: 26rem;
    margin-block-start: 0.375rem;
  }

  ${media.tablet} {
    padding: 1.75rem 2rem 0 0;

    &::before {
      inset: 7px 0 auto;
      border-inline-start: 0;
      border-block-start: ${rail};
    }

    &::after {
      inset-block-start: 0;
      inline-size: 0;
      block-size: 15px;
      border-block-start: 0;
      border-inline-start: ${rail};
    }
  }
`;

const When = styled.p`
  color: var(--surface-muted);
  font-size: 0.875rem;
  line-height: 1.4;
`;

const Call = styled(ButtonLink)`
  inline-size: 100%;

  ${media.tablet} {
    inline-size: auto;
  }
`;
