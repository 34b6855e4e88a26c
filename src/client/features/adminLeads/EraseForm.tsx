import { useState } from 'react';
import { styled } from 'styled-components';
import { failureText } from '#client/features/admin/reports.ts';
import { ActionForm, textOf } from '#client/features/adminSettings/ActionForm.tsx';
import { Alert } from '#client/ui/Alert.tsx';
import { Field } from '#client/ui/Field.tsx';
import { Select } from '#client/ui/Select.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { adminWords } from '#shared/adminWords.ts';
import { type ErasureReason, erasureReasons, type PersonOutput } from '#shared/persons.ts';
import { personWords as words } from '#shared/personWords.ts';
import { useErasePerson, usePerson } from './usePerson.ts';

const reasonOptions = erasureReasons.map((value) => ({ value, label: words.reasons[value] }));

interface EraseFormProps {
  leadId: number;
  onCancel: () => void;
  onErased: () => void;
}

/** Says what will happen and to how many leads, and asks for a reason and the lead's number before it does. */
export function EraseForm({ leadId, onCancel, onErased }: EraseFormProps) {
  const { data, error } = usePerson(leadId);
  const erase = useErasePerson(onErased);
  const [reason, setReason] = useState<ErasureReason>('asked');
  if (error !== null)
    return <Alert title={adminWords.error} message={failureText(error, words.findFailed)} />;
  if (data === undefined)
    return (
      <>
        <output>{words.loading}</output>
        <Skeleton $width="80%" />
      </>
    );
  return (
    <ActionForm
      submitLabel={words.confirm}
      isDangerous
      onCancel={onCancel}
      act={(form) => erase.mutateAsync({ leadId, reason, confirmation: textOf(form, 'confirmation') })}
    >
      {(errors) => (
        <>
          <Consequences person={data} />
          <Select
            label={words.reason}
            options={reasonOptions}
            value={reason}
            onChoose={(value) => setReason(erasureReasons.find((known) => known === value) ?? 'asked')}
          />
          <Field
            label={words.confirmation(leadId)}
            name="confirmation"
            inputMode="numeric"
            autoComplete="off"
            error={errors['confirmation']}
          />
        </>
      )}
    </ActionForm>
  );
}

function Consequences({ person: { leads, purgedLeads } }: { person: PersonOutput }) {
  return (
    <div>
      <p>{words.leads(leads.length)}</p>
      {leads.length === 1 ? null : <p>{leads.map(({ id }) => `#${id}`).join(', ')}</p>}
      {purgedLeads === 0 ? null : <p>{words.purged(purgedLeads)}</p>}
      <List>
        {words.consequences.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </List>
    </div>
  );
}

const List = styled.ul`
  display: grid;
  gap: 0.25rem;
  margin-block-start: 0.75rem;
  padding-inline-start: 1.25rem;
  list-style: disc;
`;
