import { styled } from 'styled-components';
import { callToAction, howItWorks, providerFormAnchor, studyNote } from '#shared/brand/landing.ts';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Footnoted } from '#client/ui/Footnoted.tsx';
import { Eyebrow, Section, Title } from '#client/ui/Section.tsx';
import { SmallTitle } from '#client/ui/SmallTitle.tsx';
import { StepDrawing } from './StepDrawing.tsx';

interface HowItWorksProps {
  /** Words of the first step, where they differ. */
  firstStep?: { title: string; text: string };
  callLabel?: string;
}

export function HowItWorks({ firstStep, callLabel = callToAction.claim }: HowItWorksProps) {
  const steps = howItWorks.steps.map((step, index) => (index === 0 ? { ...step, ...firstStep } : step));
  return (
    <Section id={howItWorks.id} labelledBy="how-it-works-title">
      <Eyebrow>{howItWorks.eyebrow}</Eyebrow>
      <Title id="how-it-works-title">{howItWorks.title}</Title>
      <Steps>
        {steps.map(({ key, title, text }, index) => (
          <Step key={key}>
            <Panel>
              <StepDrawing step={key} />
            </Panel>
            <Name>
              <Count aria-hidden="true">{index + 1}</Count>
              {title}
            </Name>
            <Text>
              <Footnoted text={text} noteId={studyNote.id} markLabel={studyNote.markLabel} />
            </Text>
          </Step>
        ))}
      </Steps>
      <Call href={`#${providerFormAnchor}`} size="large">
        {callLabel}
      </Call>
    </Section>
  );
}

const Steps = styled.ol`
  display: grid;
  gap: 3rem;
  margin: 3rem 0;
  padding: 0;
  list-style: none;

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
