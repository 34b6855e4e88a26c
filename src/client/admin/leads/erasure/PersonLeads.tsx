import { useId } from 'react';
import { styled } from 'styled-components';
import { instantHint, instantText } from '#client/admin/kit/times.ts';
import { token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import type { PersonLead } from '#shared/admin/erasure.ts';
import { personCopy as copy } from './copy.ts';

const getName = (id: number): string => `lead-${id}`;

/** The leads that staff ticked among those not found by the email address. */
export function chosenLeads(
  person: readonly PersonLead[],
  form: FormData,
): Record<'samePhone' | 'sameMailbox', number[]> {
  const chosen = (by: PersonLead['foundBy']): number[] =>
    person.flatMap(({ id, foundBy }) => (foundBy === by && form.has(getName(id)) ? [id] : []));
  return { samePhone: chosen('phone'), sameMailbox: [...chosen('mailbox'), ...chosen('former')] };
}

/** The leads found for a person. Those not found by the email have a checkbox, ticked if the name is equal, unless
 * staff corrected the address. */
export function PersonLeads({ person }: { person: readonly PersonLead[] }) {
  const list = person.length === 1 ? null : <Leads person={person} />;
  const hint = useId();
  return (
    <div>
      <p>{copy.leads(person.length)}</p>
      {person.every(({ foundBy }) => foundBy === 'email') ? (
        list
      ) : (
        <Question aria-describedby={hint}>
          <legend>{copy.whose}</legend>
          <p id={hint}>
            {(['phone', 'mailbox', 'former'] as const)
              .filter((by) => person.some(({ foundBy }) => foundBy === by))
              .map((by) => copy.hints[by])
              .join(' ')}
          </p>
          {list}
        </Question>
      )}
    </div>
  );
}

function Leads({ person }: { person: readonly PersonLead[] }) {
  return (
    <List>
      {person.map((lead) => (
        <li key={lead.id}>
          {lead.foundBy === 'email' ? (
            <PersonLeadItem lead={lead} />
          ) : (
            <Checkbox
              name={getName(lead.id)}
              defaultChecked={lead.isSameName && lead.foundBy !== 'former'}
              label={<PersonLeadItem lead={lead} />}
            />
          )}
        </li>
      ))}
    </List>
  );
}

function PersonLeadItem({
  lead: { id, name, email, phone, created_at: at, foundBy, standing },
}: {
  lead: PersonLead;
}) {
  return (
    <Lines>
      <span>
        #{id} <strong>{name}</strong> <Badge>{copy.foundBy[foundBy]}</Badge>
      </span>
      <span>
        {email}, {phone}
      </span>
      <span title={instantHint(at)}>
        {[instantText(at), copy.standing[standing]].filter((text) => text !== null).join(' · ')}
      </span>
    </Lines>
  );
}

const Question = styled.fieldset`
  margin-block-start: 0.75rem;

  & > legend {
    padding: 0;
    font-weight: 600;
  }

  & > p {
    margin-block-start: 0.25rem;
  }
`;

const List = styled.ul`
  display: grid;
  gap: 0.5rem;
  margin-block: 0.75rem;
`;

const Lines = styled.span`
  display: grid;
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.45;
  overflow-wrap: anywhere;

  & > span + span {
    color: ${token.muted};
  }
`;
