import { LazyMotion, MotionConfig } from 'framer-motion';
import { useCallback, useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { useCopy } from '#client/api/tenant.tsx';
import { averageGain, type Dimension, dimensions, sliders } from '#shared/brand/measures.ts';
import { callToAction } from '#shared/brand/calls.ts';
import { calculator as calculatorCopy, projectionSentence } from '#shared/brand/landing.ts';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { inMargin, marginColumns } from '#client/sections/kit/marginNotes.ts';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import { Measure } from './Measure.tsx';

const restMs = 600;

const loadMotionFeatures = async () => (await import('./motionFeatures.ts')).motionFeatures;

/** The value plus the average gain of the study's participants. It is not a prediction. */
function projected(dimension: Dimension, value: number): string {
  return (value + averageGain[dimension]).toFixed(2);
}

/** A visitor's current values and what the study's average gain adds to them. Nothing entered here is sent anywhere. */
export function Calculator() {
  const calculator = useCopy(calculatorCopy);
  const [moved, setMoved] = useState<Partial<Record<Dimension, number>>>({});
  const move = useCallback((dimension: Dimension, value: number) => {
    setMoved((before) => ({ ...before, [dimension]: value }));
  }, []);
  const getValue = (dimension: Dimension): number => moved[dimension] ?? sliders[dimension].initial;
  const sentence = projectionSentence((dimension) => projected(dimension, getValue(dimension)));
  const [announced, setAnnounced] = useState(sentence);

  // A slider in motion passes dozens of values: only the one it rests on is announced.
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(sentence), restMs);
    return () => clearTimeout(timer);
  }, [sentence]);

  return (
    <TitledSection copy={calculator} titleId="size-calculator-title">
      <Layout>
        <Sheet>
          <LazyMotion features={loadMotionFeatures} strict>
            <MotionConfig reducedMotion="user" transition={{ duration: 0.45 }}>
              {dimensions.map((dimension) => (
                <Measure key={dimension} dimension={dimension} value={getValue(dimension)} onMove={move} />
              ))}
            </MotionConfig>
          </LazyMotion>
          <VisuallyHidden
            as="output"
            htmlFor={dimensions.map((dimension) => `calculator-${dimension}`).join(' ')}
          >
            {announced}
          </VisuallyHidden>
        </Sheet>
        <Foot>
          <p>{calculator.footnote}</p>
          <ButtonLink href={`#${providerFormAnchor}`} size="large">
            {callToAction.qualify}
          </ButtonLink>
        </Foot>
      </Layout>
    </TitledSection>
  );
}

/** On wide screens the footnote stands in the margin, and the button below the rulers. */
const Layout = styled.div`
  ${media.desktop} {
    ${marginColumns}
  }
`;

const Sheet = styled.div`
  position: relative;
  margin-block: 1.25rem 1rem;
  border-block-start: 1px solid ${token.ink};
`;

const Foot = styled.div`
  display: grid;
  gap: 1rem;

  & > p {
    max-inline-size: 34rem;
    color: ${token.muted};
    font-size: 0.9375rem;
    line-height: 1.5;
    text-wrap: pretty;
  }

  ${media.tablet} {
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: start;
    gap: 3rem;
  }

  ${media.desktop} {
    display: contents;

    & > p {
      ${inMargin}
      grid-row: 1;
      margin-block-start: 1.5rem;
      padding-block-start: 1.25rem;
      border-block-start: 1px solid var(--surface-line);
      font-size: 0.875rem;
    }

    & > a {
      justify-self: start;
    }
  }
`;
