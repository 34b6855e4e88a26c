import { styled } from 'styled-components';
import { callToAction } from '#shared/brand/calls.ts';
import { useCopy } from '#client/api/tenant.tsx';
import { howItWorks } from '#shared/brand/landing.ts';
import { media } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Stations } from '#client/sections/kit/Stations.tsx';
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
  const steps = useCopy(howItWorks.steps).map((step, index) =>
    index === 0 ? { ...step, ...firstStep } : step,
  );
  return (
    <TitledSection copy={howItWorks} titleId="how-it-works-title">
      <Stations $count={3}>
        {steps.map(({ key, when, title, text }) => (
          <li key={key}>
            <When>{when}</When>
            <SmallTitle>{title}</SmallTitle>
            <p>
              <StudyText text={text} />
            </p>
          </li>
        ))}
      </Stations>
      <Call href={`#${providerFormAnchor}`} size="large">
        {callLabel}
      </Call>
    </TitledSection>
  );
}

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
