import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
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
  // aria-disabled keeps the focus on the button during its request.
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        title={leadCopy.resendEmailHint}
        aria-disabled={isBusy}
        onClick={() => (isBusy ? undefined : actions.retryEmail(lead))}
      >
        {leadCopy.resendEmail}
      </Button>
      <Button
        variant="quiet"
        size="small"
        aria-disabled={isBusy || isCrmHeld(lead)}
        onClick={() => (isBusy ? undefined : actions.retrySync(lead))}
      >
        {leadCopy.retrySync}
      </Button>
    </>
  );
}

/** Deletes or restores a lead, and releases a quarantined one. */
export function RowActions({ lead, actions, isDeleted }: RowActionsProps & { isDeleted: boolean }) {
  const disabled = actions.busyId === lead.id;
  const look = { variant: 'quiet', size: 'small', disabled } as const;
  if (isDeleted)
    return lead.isErased ? null : (
      <Button {...look} onClick={() => actions.restore(lead)}>
        {leadCopy.restore}
      </Button>
    );
  return (
    <Buttons>
      {lead.quarantineReason === null ? null : (
        <Button {...look} onClick={() => actions.release(lead)}>
          {leadCopy.release}
        </Button>
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

const Delete = styled(Button)`
  padding-inline: 0.5rem;
  color: ${token.danger};
`;
