import type { ReactNode, Ref, SubmitEvent } from 'react';
import { css, styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Field } from '#client/ui/Field.tsx';
import { ArrowLeft } from '#client/ui/Icon.tsx';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { stepCounts, type StepFormKey, stepForms } from '#shared/brand/stepForms.ts';
import { leadFields } from '#shared/leadFieldList.ts';
import { ConsentBox, ContactFields, focusWhen } from './ContactFields.tsx';
import { FormEnd } from './FormEnd.tsx';
import { FormFrame } from './FormFrame.tsx';
import { leadInputs } from './leadInputs.ts';
import { MatchPreviewLine } from './MatchPreviewLine.tsx';
import { shownState } from './postedSteps.ts';
import { type LeadFormController, useLeadForm, usePosted } from './useLeadForm.ts';
import { type Step, type StepsController, useSteps } from './useSteps.ts';

interface StepProps {
  form: StepFormKey;
  controller: LeadFormController;
  steps: StepsController;
}

const detailFields = leadFields.filter((field) => field !== 'zip_code');

/**
 * The lead form in two steps, ZIP first. Without scripts it is one plain form: a media query shows both steps. With scripts that haven't
 * arrived yet, the first step's button posts what there is, and the server answers with the second.
 */
export function LeadSteps({ form }: { form: StepFormKey }) {
  const words = stepForms[form];
  const controller = useLeadForm({ form, words, posted: shownState(usePosted()) });
  const steps = useSteps({ form, formRef: controller.ref, posted: controller.posted });

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    if (steps.step === 'details' && steps.hasZip()) return controller.onSubmit(event);
    event.preventDefault();
    steps.enter();
  }

  return (
    <FormFrame controller={controller} onSubmit={onSubmit}>
      <ZipStep form={form} controller={controller} steps={steps} />
      <DetailsStep form={form} controller={controller} steps={steps} />
    </FormFrame>
  );
}

function ZipStep({ form, controller, steps }: StepProps) {
  const { heading, hint, next } = stepForms[form].zip;
  const { posted, errors, firstWrong } = controller;
  return (
    <StepBox step="zip" shown={steps.step} heading={heading}>
      <Field
        {...leadInputs.zip_code}
        enterKeyHint="go"
        name="zip_code"
        label={leadFormTexts.labels.zip_code}
        hint={hint}
        required
        defaultValue={posted?.values['zip_code']}
        error={steps.zipError ?? errors.zip_code}
        onInput={steps.onZipInput}
        {...focusWhen(firstWrong === 'zip_code')}
      />
      <NextButton type="submit" size="large" formNoValidate>
        {next}
      </NextButton>
    </StepBox>
  );
}

function DetailsStep({ form, controller, steps }: StepProps) {
  const { heading, back } = stepForms[form].details;
  return (
    <StepBox
      step="details"
      shown={steps.step}
      heading={heading}
      headingRef={steps.headingRef}
      before={
        back === null ? null : (
          <BackButton variant="quiet" onClick={steps.back}>
            <ArrowLeft />
            <span>{back}</span>
          </BackButton>
        )
      }
    >
      <ContactFields controller={controller} fields={detailFields} />
      <MatchPreviewLine zip={steps.step === 'details' ? steps.zip : null} />
      <ConsentBox controller={controller} />
      <FormEnd controller={controller} submitLabel={controller.words.submit} />
    </StepBox>
  );
}

interface StepBoxProps {
  step: Step;
  shown: Step;
  heading: string;
  headingRef?: Ref<HTMLHeadingElement>;
  before?: ReactNode;
  children: ReactNode;
}

function StepBox({ step, shown, heading, headingRef, before, children }: StepBoxProps) {
  const id = `step-${step}`;
  return (
    <Box $shown={step === shown}>
      <Top>
        {before}
        <Progress $done={step === 'details'} />
        <Count id={`${id}-count`}>{stepCounts[step]}</Count>
      </Top>
      <StepTitle id={id} ref={headingRef} tabIndex={-1} aria-describedby={`${id}-count`}>
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

/** Two lengths of a line, the second lit once one is there. */
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

const NextButton = styled(Button)`
  inline-size: 100%;

  @media (scripting: none) {
    display: none;
  }
`;

const BackButton = styled(Button)`
  margin-inline-start: -1rem;
  padding-inline: 1rem 0.5rem;

  @media (scripting: none) {
    display: none;
  }
`;
