import { useState } from 'react';
import { styled } from 'styled-components';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { toText } from '#client/admin/kit/text.ts';
import { Field } from '#client/ui/Field.tsx';
import { Select } from '#client/ui/Select.tsx';
import { type ErasureReason, erasureReasons } from '#shared/admin/erasure.ts';
import { personCopy as copy } from './copy.ts';
import { chosenLeads, PersonLeads } from './PersonLeads.tsx';
import { PersonSearch, useErasePerson } from './PersonSearch.tsx';

const reasonOptions = erasureReasons.map((value) => ({ value, label: copy.reasons[value] }));

interface EraseFormProps {
  leadId: number;
  onCancel: () => void;
  onErased: () => void;
}

/** Lists what will be erased, and requires a reason and the lead's number. */
export function EraseForm({ leadId, onCancel, onErased }: EraseFormProps) {
  const erase = useErasePerson(onErased);
  const [reason, setReason] = useState<ErasureReason>('asked');
  return (
    <PersonSearch leadId={leadId}>
      {(person) => (
        <ActionForm
          submitLabel={copy.confirm}
          isDangerous
          onClose={onCancel}
          act={(form) =>
            erase.mutateAsync({
              leadId,
              reason,
              ...chosenLeads(person, form),
              shown: person.filter(({ foundBy }) => foundBy === 'email').map(({ id }) => id),
              confirmation: toText(form, 'confirmation'),
            })
          }
        >
          {(errors) => (
            <>
              <PersonLeads person={person} />
              <List>
                {copy.consequences.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </List>
              <Select
                label={copy.reason}
                options={reasonOptions}
                value={reason}
                onChoose={(value) => setReason(erasureReasons.find((known) => known === value) ?? 'asked')}
              />
              <Field
                label={copy.confirmation(leadId)}
                name="confirmation"
                inputMode="numeric"
                autoComplete="off"
                error={errors['confirmation']}
              />
            </>
          )}
        </ActionForm>
      )}
    </PersonSearch>
  );
}

const List = styled.ul`
  display: grid;
  gap: 0.25rem;
  padding-inline-start: 1.25rem;
  list-style: disc;
`;
