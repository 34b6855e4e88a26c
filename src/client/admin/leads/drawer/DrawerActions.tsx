import { useRef } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Fact, FactList, Facts } from '#client/admin/kit/Facts.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Row } from '#client/admin/kit/layout.tsx';
import { useNow } from '#client/admin/kit/RelativeTime.tsx';
import { reportSuccess, withOutcome, withReport } from '#client/admin/kit/reports.ts';
import { isCrmHeld, OutcomeBadge } from '#client/admin/leads/LeadCells.tsx';
import { useKeptFocus } from '#client/ui/keptFocus.ts';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import type { LeadDetail } from '#shared/admin/leadDetail.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { isOutcomeLate } from '#shared/admin/leadStage.ts';
import { leadDetailCopy as outcomeCopy } from '#shared/admin/leadDetailCopy.ts';
import { type LeadOutcome, leadOutcomeNames, leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import { ReassignDialog } from '../ConfirmDialog.tsx';
import { LeadPicker } from '../LeadPicker.tsx';
import { takeAwayCopy } from '../copy.ts';
import { useAssignLead, useTakeAway } from '../useAssignLeads.ts';
import { useReleaseLead, useResendToProvider, useRetryEmail, useRetrySync } from '../useLeadChanges.ts';
import { SuppressButton } from './Suppression.tsx';
import { reminderCopy } from './copy.ts';

/** What staff can do with a lead. A quarantined lead is sent only once it is released. */
export function DrawerActions({ detail: { lead, suppression } }: { detail: LeadDetail }) {
  const { assign, reassignment } = useAssignLead();
  const takeAway = useTakeAway();
  const resend = useResendToProvider();
  const retryEmail = useRetryEmail();
  const retrySync = useRetrySync();
  const release = useReleaseLead();
  const remind = adminApi.admin.leads.remindProvider.useMutation(withOutcome(reminderCopy));
  const now = useNow();
  const { id, provider_id: providerId } = lead;
  const buttons = useRef<HTMLDivElement>(null);
  const kept = useKeptFocus(buttons);
  return (
    <Row ref={buttons} data-actions="" {...kept}>
      <LeadPicker
        leadId={id}
        currentId={providerId}
        onTakeAway={providerId === null ? undefined : () => takeAway.mutate({ id })}
        onPick={(wanted) => assign([id], wanted)}
      >
        {providerId === null ? leadCopy.pick.placeholder : leadCopy.pick.change}
      </LeadPicker>
      {lead.quarantineReason === null ? (
        <>
          {providerId === null ? null : (
            <ActionButton data-resend="" isBusy={resend.isPending} onClick={() => resend.mutate({ id })}>
              {leadCopy.resendToProvider}
            </ActionButton>
          )}
          {isOutcomeLate(lead.stage, now) ? (
            <ActionButton
              title={reminderCopy.hint}
              isBusy={remind.isPending}
              onClick={() => remind.mutate({ id })}
            >
              {reminderCopy.action}
            </ActionButton>
          ) : null}
          <ActionButton title={leadCopy.resendEmailHint} onClick={() => retryEmail.mutate({ id })}>
            {leadCopy.resendEmail}
          </ActionButton>
          <ActionButton
            isBusy={retrySync.isPending}
            aria-disabled={retrySync.isPending || isCrmHeld(lead)}
            onClick={() => retrySync.mutate({ id })}
          >
            {leadCopy.retrySync}
          </ActionButton>
        </>
      ) : lead.quarantineReason === 'test' ? null : (
        <ActionButton onClick={() => release.mutate({ id })}>{leadCopy.release}</ActionButton>
      )}
      {/* Here, so that what takes its place under the pointer sends nothing. */}
      {providerId === null ? null : (
        <ActionButton
          title={takeAwayCopy.hint}
          isBusy={takeAway.isPending}
          onClick={() => takeAway.mutate({ id })}
        >
          {takeAwayCopy.action}
        </ActionButton>
      )}
      {suppression.email !== null && suppression.phone !== null ? null : <SuppressButton lead={lead} />}
      <ReassignDialog {...reassignment} />
    </Row>
  );
}

/** The latest outcome that the provider reported. Staff record what a provider says on the phone. */
export function OutcomeSection({ lead, canRecord }: { lead: AdminLead; canRecord: boolean }) {
  // An outcome of `wrong-area` may match the lead with another provider, or with none.
  const texts = adminMessages.outcome;
  const undo = adminApi.admin.outcomes.undo.useMutation(
    withReport({ done: texts.undone, failed: texts.undoFailed }),
  );
  const { mutateAsync, isPending } = adminApi.admin.outcomes.note.useMutation(
    withReport({ failed: texts.failed }),
  );
  const { id, outcome, provider_id: providerId } = lead;
  async function record(choice: LeadOutcome): Promise<void> {
    try {
      await mutateAsync({ id, outcome: choice });
    } catch {
      return;
    }
    // After Wrong area, another provider may have the lead, and its email has left.
    const isFinal = choice === outcome || choice === 'wrong-area';
    reportSuccess(texts.done, isFinal ? undefined : () => undo.mutate({ id, outcome: choice }));
  }
  return (
    <Facts title={outcomeCopy.outcome}>
      <FactList>
        <Fact name={outcomeCopy.latestOutcome}>
          {outcome === null ? outcomeCopy.noOutcome : <OutcomeBadge outcome={outcome} />}
        </Fact>
      </FactList>
      {canRecord && providerId !== null ? (
        <Choices aria-label={outcomeCopy.recordOutcome}>
          {leadOutcomes.map((choice) => (
            <ActionButton
              key={choice}
              aria-pressed={choice === outcome}
              isBusy={isPending || undo.isPending}
              onClick={() => void record(choice)}
            >
              {leadOutcomeNames[choice]}
            </ActionButton>
          ))}
        </Choices>
      ) : null}
    </Facts>
  );
}

const Choices = styled.fieldset`
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  margin-block-start: 0.75rem;

  & [aria-pressed='true'] {
    background: color-mix(in srgb, currentcolor 12%, transparent);
  }
`;
