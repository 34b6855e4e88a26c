import type { SubmitEvent, ReactNode, Ref } from 'react';
import { styled, css } from 'styled-components';
import { Button } from '#client/ui/Button.tsx';
import { fieldProps } from '#client/forms/FormFrame.tsx';
import { Field } from '#client/ui/Field.tsx';
import { ArrowLeft } from '#client/ui/Icon.tsx';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { stepForms, stepCounts } from '#shared/brand/stepForms.ts';
import type { StepFormKey } from '#shared/pages/brandContent.ts';
import { Consent, ContactFields, LeadFormEnd, LeadFrame } from './LeadForm.tsx';
import { leadInputs } from './leadInputs.ts';
import { MatchPreviewBox, MatchReminder } from './MatchPreviewBox.tsx';
import { fieldsAfterZip, type LeadFormController, useLeadForm, usePosted } from './useLeadForm.ts';
import { useMatchPreview } from './useMatchPreview.ts';
import { shownState, type StepsController, useSteps, type Step } from './useSteps.ts';
import { needsScripts, noFocusRing, token } from '#client/theme/tokens.ts';

interface StepProps {
  form: StepFormKey;
  controller: LeadFormController;
  steps: StepsController;
}

const previewId = 'match-preview';
const [firstAfterZip = null] = fieldsAfterZip;

/**
 * The lead form in two steps, ZIP first. Without script it is one plain form: a media query shows both steps. While
 * scripts have not loaded yet, the first step's button posts the ZIP, and the server responds with the second step.
 */
export function LeadSteps({ form }: { form: StepFormKey }) {
  const copy = stepForms[form];
  const whole = useLeadForm({ form, copy, posted: shownState(usePosted()) });
  const steps = useSteps({ form, formRef: whole.ref, posted: whole.posted });
  // Without script, Enter in the ZIP field posts it like the button: the browser then moves on to the next field.
  const isZipPosted = steps.step === 'details' && whole.posted?.message === '';
  const controller = {
    ...whole,
    firstPostedError: whole.firstPostedError ?? (isZipPosted ? firstAfterZip : null),
  };

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    if (steps.step === 'details' && steps.hasZip()) return controller.onSubmit(event);
    event.preventDefault();
    steps.enter();
  }

  return (
    <LeadFrame controller={controller} onSubmit={onSubmit}>
      <ZipStep form={form} controller={controller} steps={steps} />
      <DetailsStep form={form} controller={controller} steps={steps} />
    </LeadFrame>
  );
}

function ZipStep({ form, controller, steps }: StepProps) {
  const { heading, hint, next } = stepForms[form].zip;
  return (
    <StepBox step="zip" shown={steps.step} heading={heading}>
      <Field
        {...leadInputs.zip_code}
        {...fieldProps(controller, 'zip_code')}
        enterKeyHint="go"
        label={leadFormTexts.labels.zip_code}
        hint={hint}
        required
        error={steps.zipError ?? controller.errors['zip_code']}
        onInput={steps.onZipInput}
      />
      <NextButton type="submit" size="large" formNoValidate>
        {next}
      </NextButton>
    </StepBox>
  );
}

function DetailsStep({ form, controller, steps }: StepProps) {
  const { heading, back } = stepForms[form].details;
  const zip = steps.step === 'details' ? steps.zip : null;
  const preview = useMatchPreview(zip);
  return (
    <StepBox
      step="details"
      shown={steps.step}
      heading={heading}
      headingRef={steps.headingRef}
      describedBy={previewId}
      before={
        back === null ? null : (
          <BackButton variant="quiet" onClick={steps.back}>
            <ArrowLeft />
            <span>{back}</span>
          </BackButton>
        )
      }
    >
      <MatchPreviewBox
        id={previewId}
        zip={zip}
        state={preview}
        onChangeZip={back === null ? steps.back : undefined}
      />
      <ContactFields controller={controller} fields={fieldsAfterZip} />
      <MatchReminder zip={zip} state={preview} />
      <Consent controller={controller} />
      <LeadFormEnd controller={controller} submitLabel={controller.copy.submit} />
    </StepBox>
  );
}

const NextButton = styled(Button)`
  inline-size: 100%;
  ${needsScripts}
`;

const BackButton = styled(Button)`
  margin-inline-start: -1rem;
  padding-inline: 1rem 0.5rem;
  ${needsScripts}
`;

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
function StepBox({ step, shown, heading, headingRef, describedBy, before, children }: StepBoxProps) {
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
  ${needsScripts}
`;

/** A line in two parts. The second is colored in the second step. */
const Progress = styled.span<{ $done: boolean }>`
  display: flex;
  flex: 1;
  gap: 0.25rem;

  &::before,
  &::after {
    flex: 1;
    block-size: 2px;
    background: ${token.ink};
    content: '';
  }

  &::after {
    background: ${({ $done }) => ($done ? token.ink : token.line)};
  }
`;

const Count = styled.p`
  color: var(--surface-muted);
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  font-weight: 600;
`;

/** Small on a phone, so that the first step is in its first screen. */
const StepTitle = styled.h2`
  font-size: clamp(1.5rem, 1.25rem + 1.1vw, ${token.title});
  letter-spacing: -0.02em;
  ${noFocusRing}
`;
