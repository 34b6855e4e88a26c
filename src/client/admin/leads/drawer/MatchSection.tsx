import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import type { AdminLead, LeadDetail } from '#shared/admin/adminLeads.ts';
import { leadDetailCopy as copy, leadCopy } from '#shared/admin/leadCopy.ts';
import { distanceText } from '#shared/formats/writing.ts';
import { Fact, FactList, Facts } from '#client/admin/kit/Facts.tsx';

/** Whose lead it is and why, and who else is near. */
export function MatchSection({ detail: { lead, candidates } }: { detail: LeadDetail }) {
  const { match } = lead;
  return (
    <Facts title={copy.match}>
      <FactList>
        <Fact name={copy.provider}>
          <Whose lead={lead} />
        </Fact>
        <Fact name={copy.method}>{match.method}</Fact>
        <Fact name={copy.reason}>{match.reason}</Fact>
        <Fact name={copy.distance}>{match.miles === null ? null : distanceText(match.miles)}</Fact>
      </FactList>
      {candidates.length === 0 ? null : (
        <details>
          <Summary>
            {copy.candidates} ({candidates.length})
          </Summary>
          <ol>
            {candidates.map(({ id, name, zipCode, miles }) => (
              <Candidate key={id} aria-current={id === lead.provider_id ? 'true' : undefined}>
                <span>{leadCopy.pick.item(name, zipCode)}</span>
                {miles === null ? null : <span>{distanceText(miles)}</span>}
              </Candidate>
            ))}
          </ol>
        </details>
      )}
    </Facts>
  );
}

function Whose({ lead: { provider_id: id, provider } }: { lead: AdminLead }) {
  if (id === null) return <Badge tone="warning">{leadCopy.badges.unmatched}</Badge>;
  return (
    <>
      {provider?.name ?? leadCopy.unknownProvider(id)}{' '}
      {provider?.status === 'f' ? <Badge>{leadCopy.badges.inactive}</Badge> : null}
    </>
  );
}

const Summary = styled.summary`
  margin-block-start: 0.5rem;
  padding-block: 0.375rem;
  color: ${token.secondary};
  font-size: 0.9375rem;
  font-weight: 600;
  cursor: pointer;
`;

const Candidate = styled.li`
  display: flex;
  justify-content: space-between;
  gap: 1rem;
  padding: 0.25rem 0.5rem;
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.4;

  &[aria-current] {
    background: ${token.tint};
    font-weight: 600;
  }

  & > :last-child:not(:first-child) {
    flex: none;
    color: ${token.muted};
  }
`;
