import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { token } from '#client/theme/tokens.ts';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { isCrmHeld } from './CrmStatus.tsx';
import type { LeadActions } from './useLeadActions.ts';

interface RowActionsProps {
  lead: AdminLead;
  actions: LeadActions;
}

/** The buttons that send a lead again. A quarantined one has none: it was not sent. */
export function RetryButtons({ lead, actions }: RowActionsProps) {
  if (lead.quarantineReason !== null) return null;
  const isBusy = actions.busyId === lead.id;
  return (
    <>
      <ActionButton
        variant="quiet"
        title={leadCopy.resendEmailHint}
        isBusy={isBusy}
        onClick={() => actions.retryEmail(lead)}
      >
        {leadCopy.resendEmail}
      </ActionButton>
      <ActionButton
        variant="quiet"
        isBusy={isBusy}
        aria-disabled={isBusy || isCrmHeld(lead)}
        onClick={() => actions.retrySync(lead)}
      >
        {leadCopy.retrySync}
      </ActionButton>
    </>
  );
}

/** Deletes or restores a lead, and releases a quarantined one. */
export function RowActions({ lead, actions, isDeleted }: RowActionsProps & { isDeleted: boolean }) {
  const disabled = actions.busyId === lead.id;
  const look = { variant: 'quiet', disabled } as const;
  if (isDeleted)
    return lead.isErased ? null : (
      <ActionButton {...look} onClick={() => actions.restore(lead)}>
        {leadCopy.restore}
      </ActionButton>
    );
  return (
    <Buttons>
      {lead.quarantineReason === null ? null : (
        <ActionButton {...look} onClick={() => actions.release(lead)}>
          {leadCopy.release}
        </ActionButton>
      )}
      <Delete {...look} onClick={() => actions.remove(lead)}>
        {leadCopy.remove}
      </Delete>
    </Buttons>
  );
}

const Buttons = styled.div`
  display: flex;
`;

const Delete = styled(ActionButton)`
  padding-inline: 0.5rem;
  color: ${token.danger};
`;
