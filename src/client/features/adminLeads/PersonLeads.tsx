import { styled } from 'styled-components';
import { instantText } from '#client/features/admin/times.ts';
import { token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import type { PersonLead } from '#shared/persons.ts';
import { personWords as words } from '#shared/personWords.ts';

const nameOf = (id: number): string => `lead-${id}`;

/** The leads that a form of PersonLeads leaves out: found by the phone alone, and not ticked. */
export function leftOut(person: readonly PersonLead[], form: FormData): number[] {
  return person.flatMap(({ id, foundBy }) => (foundBy === 'phone' && !form.has(nameOf(id)) ? [id] : []));
}

/** What was found of a person and by what. Whoever shares the phone alone is asked about; the same name is a first answer. */
export function PersonLeads({ person }: { person: readonly PersonLead[] }) {
  return (
    <div>
      <p>{words.leads(person.length)}</p>
      {person.length === 1 ? null : (
        <List>
          {person.map((lead) => (
            <li key={lead.id}>
              {lead.foundBy === 'email' ? (
                <Found lead={lead} />
              ) : (
                <Checkbox
                  name={nameOf(lead.id)}
                  defaultChecked={lead.isSameName}
                  label={<Found lead={lead} />}
                />
              )}
            </li>
          ))}
        </List>
      )}
      {person.every(({ foundBy }) => foundBy === 'email') ? null : <p>{words.byPhone}</p>}
    </div>
  );
}

function Found({
  lead: { id, name, email, phone, created_at: at, foundBy, standing },
}: {
  lead: PersonLead;
}) {
  return (
    <Lines>
      <span>
        #{id} <strong>{name}</strong> <Badge>{words.foundBy[foundBy]}</Badge>
      </span>
      <span>
        {email}, {phone}
      </span>
      <span>{[instantText(at), words.standing[standing]].filter((text) => text !== null).join(' · ')}</span>
    </Lines>
  );
}

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
