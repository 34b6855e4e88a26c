import type { ReactNode, Ref } from 'react';
import { css, styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { stepCounts } from '#shared/brand/stepForms.ts';
import type { Step } from './useSteps.ts';

interface StepBoxProps {
  step: Step;
  shown: Step;
  heading: string;
  headingRef?: Ref<HTMLHeadingElement>;
  /** The id of what is read with the heading, besides the progress. */
  describedBy?: string;
  before?: ReactNode;
  children: ReactNode;
}

/** One step with its heading and progress. Hidden unless it is the current step or scripts don't run. */
export function StepBox({ step, shown, heading, headingRef, describedBy, before, children }: StepBoxProps) {
  const id = `step-${step}`;
  return (
    <Box $shown={step === shown}>
      <Top>
        {before}
        <Progress $done={step === 'details'} />
        <Count id={`${id}-count`}>{stepCounts[step]}</Count>
      </Top>
      <StepTitle
        id={id}
        ref={headingRef}
        tabIndex={-1}
        aria-describedby={describedBy === undefined ? `${id}-count` : `${id}-count ${describedBy}`}
      >
        {heading}
      </StepTitle>
      {children}
    </Box>
  );
}

const unlessScriptless = css`
  display: none;

  @media (scripting: none) {
    display: grid;
  }
`;

const Box = styled.div<{ $shown: boolean }>`
  display: grid;
  gap: 1.125rem;
  min-inline-size: 0;

  ${({ $shown }) => ($shown ? null : unlessScriptless)}
`;

const Top = styled.div`
  display: flex;
  align-items: center;
  gap: 1rem;
  min-block-size: 2.75rem;

  @media (scripting: none) {
    display: none;
  }
`;

/** A line in two parts. The second is colored in the second step. */
const Progress = styled.span<{ $done: boolean }>`
  flex: 1;
  block-size: 0.25rem;
  border-radius: ${token.pill};
  background: linear-gradient(
    to right,
    ${token.secondary} calc(50% - 0.125rem),
    transparent 0 calc(50% + 0.125rem),
    ${({ $done }) => ($done ? token.secondary : token.line)} 0
  );
`;

const Count = styled.p`
  color: var(--surface-muted);
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  font-weight: 600;
`;

const StepTitle = styled.h2`
  color: var(--surface-heading);
  font-size: ${token.title};
  font-weight: 700;
  letter-spacing: -0.02em;
  line-height: 1.15;

  &:focus {
    outline: none;
  }
`;
