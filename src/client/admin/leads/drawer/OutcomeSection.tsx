import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Fact, FactList, Facts } from '#client/admin/kit/Facts.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { leadDetailCopy as copy } from '#shared/admin/leadCopy.ts';
import { leadOutcomeNames, leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import { OutcomeBadge } from '../OutcomeBadge.tsx';

/** The latest outcome that the provider reported. Staff record what a provider says on the phone. */
export function OutcomeSection({ lead, canRecord }: { lead: AdminLead; canRecord: boolean }) {
  // An outcome of `wrong-area` may match the lead with another provider, or with none.
  const record = adminApi.admin.outcomes.note.useMutation(withReport(adminMessages.outcome));
  const { id, outcome, provider_id: providerId } = lead;
  return (
    <Facts title={copy.outcome}>
      <FactList>
        <Fact name={copy.latestOutcome}>
          {outcome === null ? copy.noOutcome : <OutcomeBadge outcome={outcome} />}
        </Fact>
      </FactList>
      {canRecord && providerId !== null ? (
        <Choice aria-label={copy.recordOutcome}>
          {leadOutcomes.map((choice) => (
            <ActionButton
              key={choice}
              aria-pressed={choice === outcome}
              isBusy={record.isPending}
              onClick={() => record.mutate({ id, outcome: choice })}
            >
              {leadOutcomeNames[choice]}
            </ActionButton>
          ))}
        </Choice>
      ) : null}
    </Facts>
  );
}

const Choice = styled.fieldset`
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  margin-block-start: 0.75rem;

  & [aria-pressed='true'] {
    background: color-mix(in srgb, currentcolor 12%, transparent);
  }
`;
