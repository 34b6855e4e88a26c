import { type SubmitEvent, useState } from 'react';
import { styled } from 'styled-components';
import { media } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { DayInput, SmallInput } from '#client/ui/DayInput.tsx';
import { Select, SmallLabel } from '#client/ui/Select.tsx';
import { auditActions, type AuditListInput, auditSubjectKinds } from '#shared/admin/audit.ts';
import { auditCopy } from './copy.ts';
import { withInstants } from '#shared/formats/day.ts';
import { toText } from '#client/admin/kit/text.ts';

type Filter = Omit<AuditListInput, 'before'>;

const actionOptions = [
  { value: '', label: auditCopy.anyAction },
  ...auditActions.map((action) => ({ value: action, label: auditCopy.actions[action] ?? action })),
];
const subjectOptions = [
  { value: '', label: auditCopy.anySubject },
  ...auditSubjectKinds.map((kind) => ({ value: kind, label: auditCopy.subjects[kind] ?? kind })),
];

/** The filters of the log. Its days are those of the viewer's time zone. They apply when 'Apply' is pressed. */
export function AuditFilters({ onApply }: { onApply: (filter: Filter) => void }) {
  const [action, setAction] = useState('');
  const [subjectKind, setSubjectKind] = useState('');
  const [from, setFrom] = useState<string>();
  const [to, setTo] = useState<string>();
  function read(data: FormData): Filter {
    const [actor, subjectId] = ['actor', 'subjectId'].map((name) => toText(data, name).trim());
    const chosenAction = auditActions.find((known) => known === action);
    const chosenKind = auditSubjectKinds.find((known) => known === subjectKind);
    return {
      ...(chosenAction === undefined ? {} : { action: chosenAction }),
      ...(chosenKind === undefined ? {} : { subjectKind: chosenKind }),
      ...(actor ? { actor } : {}),
      ...(subjectId ? { subjectId } : {}),
      ...withInstants({ from, to }),
    };
  }
  return (
    <Bar
      aria-label={auditCopy.filters}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        onApply(read(new FormData(event.currentTarget)));
      }}
      onReset={() => {
        setAction('');
        setSubjectKind('');
        setFrom(undefined);
        setTo(undefined);
        onApply({});
      }}
    >
      <Select label={auditCopy.action} options={actionOptions} value={action} onChoose={setAction} />
      <SmallLabel>
        {auditCopy.actor}
        <SmallInput name="actor" maxLength={100} autoComplete="off" />
      </SmallLabel>
      <Select
        label={auditCopy.subject}
        options={subjectOptions}
        value={subjectKind}
        onChoose={setSubjectKind}
      />
      <SmallLabel>
        {auditCopy.subjectId}
        <SmallInput name="subjectId" maxLength={40} inputMode="numeric" autoComplete="off" />
      </SmallLabel>
      <Days>
        <DayInput label={auditCopy.from} value={from} onChoose={setFrom} />
        <DayInput label={auditCopy.to} value={to} onChoose={setTo} />
      </Days>
      <Buttons>
        <Button type="submit" variant="secondary">
          {auditCopy.apply}
        </Button>
        <Button type="reset" variant="quiet">
          {auditCopy.clear}
        </Button>
      </Buttons>
    </Bar>
  );
}

const Bar = styled.form`
  display: flex;
  flex-wrap: wrap;
  align-items: end;
  gap: 0.75rem;
  margin-block-end: 1rem;

  & > label {
    flex: 1 1 8.5rem;
  }
`;

/** Both in one row at any width. */
const Days = styled.div`
  display: grid;
  flex: 1 1 17.75rem;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 0.75rem;
`;

const Buttons = styled.div`
  display: flex;
  gap: 0.25rem;

  & > button {
    min-block-size: 2.5rem;

    ${media.touch} {
      min-block-size: 2.75rem;
    }

    padding-inline: 1rem;
    white-space: nowrap;
  }
`;
