import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { token } from '#client/theme/tokens.ts';
import { nearestShown } from '#shared/admin/leadActions.ts';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import type { LeadDetail } from '#shared/admin/leadDetail.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { leadDetailCopy as copy } from '#shared/admin/leadDetailCopy.ts';
import { distanceText } from '#shared/formats/writing.ts';
import { ReassignDialog } from '../ConfirmDialog.tsx';
import { useAssignLead } from '../useAssignLeads.ts';
import { workCopy } from './copy.ts';

interface CandidatesProps {
  candidates: LeadDetail['candidates'];
  lead: AdminLead;
  canAssign: boolean;
}

/** The nearest ten, and the others on request, each with its distance and its open leads. */
export function Candidates({
  candidates,
  lead: { id: leadId, provider_id: currentId },
  canAssign,
}: CandidatesProps) {
  const [isWhole, setIsWhole] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const { assign, isPending, reassignment } = useAssignLead();
  function showAll(): void {
    setIsWhole(true);
    // The button disappears.
    list.current?.focus();
  }
  return (
    <>
      <List ref={list} tabIndex={-1}>
        {candidates
          .slice(0, isWhole ? undefined : nearestShown)
          .map(({ id, name, zipCode, miles, openLeads }) => (
            <Candidate key={id} aria-current={id === currentId ? 'true' : undefined}>
              <span>{leadCopy.pick.item(name, zipCode)}</span>
              <Figures>
                {miles === null ? null : <span>{distanceText(miles)}</span>}
                {openLeads === null ? null : (
                  <span title={workCopy.openLeadsHint}>{workCopy.openLeads(openLeads)}</span>
                )}
              </Figures>
              {canAssign && id !== currentId ? (
                <ActionButton
                  variant="quiet"
                  aria-label={workCopy.assignTo(name)}
                  isBusy={isPending}
                  onClick={() => {
                    // The button disappears once the provider has the lead.
                    list.current?.focus();
                    assign([leadId], id);
                  }}
                >
                  {workCopy.assign}
                </ActionButton>
              ) : null}
            </Candidate>
          ))}
      </List>
      {isWhole || candidates.length <= nearestShown ? null : (
        <ActionButton variant="quiet" onClick={showAll}>
          {copy.allCandidates(candidates.length)}
        </ActionButton>
      )}
      <ReassignDialog {...reassignment} />
    </>
  );
}

const List = styled.ol`
  &:focus {
    outline: none;
  }
`;

const Candidate = styled.li`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto 4.5rem;
  align-items: center;
  gap: 0.5rem;
  min-block-size: 2.25rem;
  padding: 0.125rem 0.5rem;
  border-block-end: 1px solid ${token.line};
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.4;
  overflow-wrap: anywhere;

  &[aria-current] {
    background: ${token.tint};
    font-weight: 600;
  }
`;

const Figures = styled.span`
  display: grid;
  justify-items: end;
  color: ${token.muted};
  font-size: 0.8125rem;
`;
