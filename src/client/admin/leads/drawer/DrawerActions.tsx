import { styled } from 'styled-components';
import { Button } from '#client/ui/Button.tsx';
import type { LeadDetail } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { isCrmHeld } from '../CrmStatus.tsx';
import { LeadPicker } from '../LeadPicker.tsx';
import { ReassignDialog } from '../ReassignDialog.tsx';
import { takeAwayCopy } from '../copy.ts';
import { useAssignLead, useTakeAway } from '../useAssignLeads.ts';
import { useReleaseLead, useResendToProvider, useRetryEmail, useRetrySync } from '../useLeadChanges.ts';
import { SuppressButton } from './Suppression.tsx';

const look = { variant: 'secondary', size: 'small' } as const;

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
        <Button
          {...look}
          title={takeAwayCopy.hint}
          aria-disabled={takeAway.isPending}
          onClick={() => (takeAway.isPending ? undefined : takeAway.mutate({ id }))}
        >
          {takeAwayCopy.action}
        </Button>
      )}
      {lead.quarantineReason === null ? (
        <>
          {providerId === null ? null : (
            <Button
              {...look}
              aria-disabled={resend.isPending}
              onClick={() => (resend.isPending ? undefined : resend.mutate({ id }))}
            >
              {leadCopy.resendToProvider}
            </Button>
          )}
          <Button {...look} title={leadCopy.resendEmailHint} onClick={() => retryEmail.mutate({ id })}>
            {leadCopy.resendEmail}
          </Button>
          <Button
            {...look}
            aria-disabled={retrySync.isPending || isCrmHeld(lead)}
            onClick={() => (retrySync.isPending ? undefined : retrySync.mutate({ id }))}
          >
            {leadCopy.retrySync}
          </Button>
        </>
      ) : (
        <Button {...look} onClick={() => release.mutate({ id })}>
          {leadCopy.release}
        </Button>
      )}
      {suppression.email !== null && suppression.phone !== null ? null : <SuppressButton lead={lead} />}
      <ReassignDialog {...reassignment} />
    </Row>
  );
}

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
`;
