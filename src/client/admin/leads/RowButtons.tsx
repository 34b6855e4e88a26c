import type { ComponentProps } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { IconButton } from '#client/ui/Button.tsx';
import { Ellipsis, Mail, RefreshCw, Trash2 } from '#client/ui/Icon.tsx';
import { Menu, type MenuItem } from '#client/ui/Menu.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { leadName, takeAwayCopy } from './copy.ts';
import { isCrmHeld } from './LeadCells.tsx';
import type { LeadActions } from './useLeadActions.ts';

export interface RowButtonsProps {
  lead: AdminLead;
  actions: LeadActions;
}

interface BusyProps extends RowButtonsProps {
  /** The row's change is pending: presses are ignored, and the focus stays. */
  isBusy: boolean;
}

interface RowButtonProps extends ComponentProps<'button'>, Pick<BusyProps, 'isBusy'> {
  label: string;
}

/** A button of a row with only an icon. */
function RowButton({ label, isBusy, onClick, ...rest }: RowButtonProps) {
  return (
    <SmallIcon
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={isBusy}
      {...rest}
      onClick={isBusy ? undefined : onClick}
    />
  );
}

/** The buttons that send a lead again. A quarantined one has none: it was not sent. */
export function RetryButtons({ lead, actions, isBusy }: BusyProps) {
  if (lead.quarantineReason !== null) return null;
  return (
    <Buttons>
      <RowButton
        label={leadCopy.resendEmail}
        title={leadCopy.resendEmailHint}
        isBusy={isBusy}
        onClick={() => actions.retryEmail(lead)}
      >
        <Mail />
      </RowButton>
      <RowButton
        label={leadCopy.retrySync}
        isBusy={isBusy}
        aria-disabled={isBusy || isCrmHeld(lead)}
        onClick={() => actions.retrySync(lead)}
      >
        <RefreshCw />
      </RowButton>
    </Buttons>
  );
}

/** Deletes a lead, or restores it. */
export function DeleteButton({ lead, actions, isBusy, isDeleted }: BusyProps & { isDeleted: boolean }) {
  if (isDeleted)
    return lead.isErased ? null : (
      <ActionButton variant="quiet" disabled={isBusy} onClick={() => actions.restore(lead)}>
        {leadCopy.restore}
      </ActionButton>
    );
  return (
    <RowButton label={leadCopy.remove} isBusy={isBusy} onClick={() => actions.remove(lead)}>
      <Trash2 />
    </RowButton>
  );
}

/** What else can be done with a lead. */
export function RowMenu({ lead, actions, items }: RowButtonsProps & { items?: readonly MenuItem[] }) {
  const isQuarantined = lead.quarantineReason !== null;
  const resend: MenuItem = {
    key: 'resend',
    label: leadCopy.resendToProvider,
    disabledReason: lead.provider_id === null ? leadCopy.noProvider : undefined,
    onSelect: () => actions.resendToProvider(lead),
  };
  const takeAway: MenuItem = {
    key: 'take-away',
    label: takeAwayCopy.action,
    onSelect: () => actions.takeAway(lead),
  };
  const release: MenuItem = {
    key: 'release',
    label: leadCopy.release,
    onSelect: () => actions.release(lead),
  };
  return (
    <Menu
      label={leadCopy.more(leadName(lead))}
      trigger={
        <SmallIcon type="button">
          <Ellipsis />
        </SmallIcon>
      }
      items={[
        ...(lead.quarantineReason === 'test' ? [] : [isQuarantined ? release : resend]),
        ...(lead.provider_id === null ? [] : [takeAway]),
        ...(items ?? []),
      ]}
    />
  );
}

/** The same as the buttons, for a card. */
export function listCardItems({ lead, actions }: RowButtonsProps): MenuItem[] {
  const retries: MenuItem[] = [
    {
      key: 'email',
      label: leadCopy.resendEmail,
      icon: <Mail />,
      onSelect: () => actions.retryEmail(lead),
    },
    {
      key: 'sync',
      label: leadCopy.retrySync,
      icon: <RefreshCw />,
      onSelect: () => actions.retrySync(lead),
    },
  ];
  const remove: MenuItem = {
    key: 'delete',
    label: leadCopy.remove,
    icon: <Trash2 />,
    isDanger: true,
    onSelect: () => actions.remove(lead),
  };
  return [...(lead.quarantineReason === null ? retries : []), remove];
}

export const Buttons = styled.div`
  display: flex;
  flex: none;
`;

const SmallIcon = styled(IconButton)`
  inline-size: 1.5rem;
  block-size: 1.5rem;
  color: ${token.ink};

  ${media.touch} {
    inline-size: 2.75rem;
    block-size: 2.75rem;
  }

  & > svg {
    inline-size: 1rem;
    block-size: 1rem;
  }

  &[aria-disabled='true'],
  &:disabled {
    color: ${token.muted};
    cursor: not-allowed;
    opacity: 0.65;
  }
`;
