import { fieldProps } from '#client/forms/FormFrame.tsx';
import { Chips } from '#client/ui/Chips.tsx';
import { Field } from '#client/ui/Field.tsx';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { questions } from '#shared/brand/questions.ts';
import { answerName, listOptions, type Question } from '#shared/leads/questions.ts';
import type { LeadFormController } from './useLeadForm.ts';

const asked: readonly Question[] = questions;

/** The questions that the brand asks in a form. Nobody has to answer them. */
export function LeadQuestions({ controller }: { controller: LeadFormController }) {
  return asked
    .filter(({ forms }) => forms.includes(controller.form))
    .map((question) => {
      const { id, label } = question;
      const { name, defaultValue } = fieldProps(controller, answerName(id));
      return question.kind === 'text' ? (
        <Field
          key={id}
          id={`question-${id}`}
          name={name}
          defaultValue={defaultValue}
          label={`${label} ${leadFormTexts.optional}`}
          type="text"
          maxLength={question.lengthMax}
          autoComplete="off"
        />
      ) : (
        <Chips
          key={id}
          legend={label}
          name={name}
          defaultValue={defaultValue}
          options={listOptions(question, leadFormTexts.yesNo)}
        />
      );
    });
}
