import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Row } from '#client/admin/kit/layout.tsx';
import type { LeadDetail } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { ReassignDialog } from '../ConfirmDialog.tsx';
import { isCrmHeld } from '../CrmStatus.tsx';
import { LeadPicker } from '../LeadPicker.tsx';
import { takeAwayCopy } from '../copy.ts';
import { useAssignLead, useTakeAway } from '../useAssignLeads.ts';
import { useReleaseLead, useResendToProvider, useRetryEmail, useRetrySync } from '../useLeadChanges.ts';
import { SuppressButton } from './Suppression.tsx';

/** What staff can do with a lead. A quarantined lead is sent only once it is released. */
export function DrawerActions({ detail: { lead, suppression } }: { detail: LeadDetail }) {
  const { assign, reassignment } = useAssignLead();
  const takeAway = useTakeAway();
  const resend = useResendToProvider();
  const retryEmail = useRetryEmail();
  const retrySync = useRetrySync();
  const release = useReleaseLead();
  const { id, provider_id: providerId } = lead;
  return (
    <Row>
      <LeadPicker leadId={id} currentId={providerId} onPick={(wanted) => assign([id], wanted)}>
        {providerId === null ? leadCopy.pick.placeholder : leadCopy.pick.change}
      </LeadPicker>
      {providerId === null ? null : (
        <ActionButton
          title={takeAwayCopy.hint}
          isBusy={takeAway.isPending}
          onClick={() => takeAway.mutate({ id })}
        >
          {takeAwayCopy.action}
        </ActionButton>
      )}
      {lead.quarantineReason === null ? (
        <>
          {providerId === null ? null : (
            <ActionButton isBusy={resend.isPending} onClick={() => resend.mutate({ id })}>
              {leadCopy.resendToProvider}
            </ActionButton>
          )}
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
      ) : (
        <ActionButton onClick={() => release.mutate({ id })}>{leadCopy.release}</ActionButton>
      )}
      {suppression.email !== null && suppression.phone !== null ? null : <SuppressButton lead={lead} />}
      <ReassignDialog {...reassignment} />
    </Row>
  );
}
