import type { SubmitEvent } from 'react';
import { styled } from 'styled-components';
import { Button } from '#client/ui/Button.tsx';
import { Field } from '#client/ui/Field.tsx';
import { ArrowLeft } from '#client/ui/Icon.tsx';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import type { StepFormKey } from '#shared/pages/brandContent.ts';
import { leadFields } from '#shared/leads/leadFieldList.ts';
import { ConsentBox, ContactFields, focusWhen } from './ContactFields.tsx';
import { FormEnd } from './FormEnd.tsx';
import { FormFrame } from './FormFrame.tsx';
import { leadInputs } from './leadInputs.ts';
import { MatchPreviewLine } from './MatchPreviewLine.tsx';
import { shownState } from './postedSteps.ts';
import { StepBox } from './StepBox.tsx';
import { type LeadFormController, useLeadForm, usePosted } from './useLeadForm.ts';
import { type StepsController, useSteps } from './useSteps.ts';

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
  const copy = stepForms[form];
  const controller = useLeadForm({ form, copy, posted: shownState(usePosted()) });
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
      <FormEnd controller={controller} submitLabel={controller.copy.submit} />
    </StepBox>
  );
}

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
