import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import type { LeadDetail } from '#shared/adminLeads.ts';
import { leadDetailWords as words, leadWords } from '#shared/adminLeadWords.ts';
import { distanceText } from '#shared/writing.ts';
import { Facts } from './Facts.tsx';

/** Whose lead it is and why, and who else is near. */
export function MatchSection({ detail: { lead, candidates } }: { detail: LeadDetail }) {
  const { match } = lead;
  return (
    <Facts
      title={words.match}
      facts={[
        [
          words.provider,
          lead.provider_id === null ? (
            <Badge tone="warning">{leadWords.badges.unmatched}</Badge>
          ) : (
            <>
              {lead.provider?.name ?? leadWords.unknownProvider(lead.provider_id)}{' '}
              {lead.provider?.status === 'f' ? <Badge>{leadWords.badges.inactive}</Badge> : null}
            </>
          ),
        ],
        [words.method, match.method],
        [words.reason, match.reason],
        [words.distance, match.miles === null ? null : distanceText(match.miles)],
      ]}
    >
      {candidates.length === 0 ? null : (
        <details>
          <Summary>
            {words.candidates} ({candidates.length})
          </Summary>
          <ol>
            {candidates.map(({ id, name, zipCode, miles }) => (
              <Candidate key={id} aria-current={id === lead.provider_id ? 'true' : undefined}>
                <span>{leadWords.pick.item(name, zipCode)}</span>
                {miles === null ? null : <span>{distanceText(miles)}</span>}
              </Candidate>
            ))}
          </ol>
        </details>
      )}
    </Facts>
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
