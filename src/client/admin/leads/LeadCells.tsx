import { styled } from 'styled-components';
import { Link } from 'wouter';
import { BreakAnywhere, Typed, typedLook } from '#client/admin/kit/BreakAnywhere.tsx';
import { Row } from '#client/admin/kit/layout.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Badge, type BadgeTone } from '#client/ui/Badge.tsx';
import { CircleAlert, CirclePause, Clock, MessageCircle, Repeat2, ShieldAlert } from '#client/ui/Icon.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { quarantineReasonNames } from '#shared/admin/leadDetailCopy.ts';
import { leadName } from './copy.ts';
import { type LeadOutcome, leadOutcomeNames } from '#shared/leads/leadOutcomes.ts';
import { CrmBadge } from '#client/admin/kit/CrmBadge.tsx';
import { Upcoming } from '#client/admin/kit/RelativeTime.tsx';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { LeadPicker } from './LeadPicker.tsx';
import type { LeadActions } from './useLeadActions.ts';

/** Who sent the lead, with a link to its drawer, how to reach the person, and what is special about the lead. */
export function ContactCell({ lead, href }: { lead: AdminLead; href: string }) {
  const name = leadName(lead);
  const { phone, outcome, isRepeat, isErased, filledHoneypot, quarantineReason, unreachable = null } = lead;
  return (
    <>
      <Row $gap="0.125rem 0.5rem">
        <Name href={href} aria-label={leadCopy.open(name)}>
          {name}
        </Name>
        {outcome === null ? null : <OutcomeBadge outcome={outcome} />}
        {isRepeat ? (
          <Badge>
            <Repeat2 />
            {leadCopy.badges.repeat}
          </Badge>
        ) : null}
        {isErased ? <Badge>{leadCopy.badges.erased}</Badge> : null}
        {unreachable === null ? null : <Badge tone="warning">{leadCopy.unreachable[unreachable]}</Badge>}
        {filledHoneypot && quarantineReason === null ? (
          <Badge tone="warning">{leadCopy.badges.filledHoneypot}</Badge>
        ) : null}
        <QuarantineBadge reason={quarantineReason} />
      </Row>
      {isErased ? null : (
        <Small>
          <span>
            <BreakAnywhere text={lead.email} before="@" />
          </span>
          {phone.length > phoneLengthUsual ? <Typed>{phone}</Typed> : <Phone>{phone}</Phone>}
        </Small>
      )}
      {quarantineReason === null ? null : <Small>{quarantineReasonNames[quarantineReason]}</Small>}
    </>
  );
}

function QuarantineBadge({ reason }: { reason: string | null }) {
  if (reason === null) return null;
  return reason === 'over-limit' ? (
    <Badge tone="warning">
      <Clock />
      {leadCopy.badges.overLimit}
    </Badge>
  ) : (
    <Badge tone="danger">
      <ShieldAlert />
      {leadCopy.badges.quarantined}
    </Badge>
  );
}

/** A longer one has an extension or a remark. */
const phoneLengthUsual = 20;

const Phone = styled.span`
  white-space: nowrap;
`;

const Name = styled(Link)`
  ${typedLook}
  min-block-size: 1.5rem;

  ${media.touch} {
    display: grid;
    align-content: center;
    min-block-size: 2.75rem;
  }

  color: ${token.primary};
  font-weight: 600;
  text-decoration: none;

  &:hover {
    text-decoration: underline;
  }
`;

const Small = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0 0.75rem;
  color: ${token.muted};
  font-size: 0.8125rem;
  overflow-wrap: anywhere;
`;

const tones: Record<LeadOutcome, BadgeTone> = {
  reached: 'success',
  booked: 'success',
  'not-reachable': 'warning',
  'wrong-area': 'warning',
  duplicate: 'neutral',
};

/** The latest outcome that the provider reported. */
export function OutcomeBadge({ outcome }: { outcome: LeadOutcome }) {
  return (
    <Badge tone={tones[outcome]}>
      <MessageCircle />
      {leadOutcomeNames[outcome]}
    </Badge>
  );
}

/** Whether the lead waits until a CRM is configured (one that the CRM refused has a next attempt). */
export function isCrmHeld({ crmDelivery }: AdminLead): boolean {
  return crmDelivery?.state === 'held' && crmDelivery.nextAttemptAt === null;
}

/** The CRM status of a lead, why it is not delivered, and when it is attempted next. */
export function CrmStatus({ lead, now }: { lead: AdminLead; now: number }) {
  const { crm_sync_status: status, crmDelivery, quarantineReason } = lead;
  if (quarantineReason !== null)
    return (
      <Badge>
        <CirclePause />
        {leadCopy.notSent}
      </Badge>
    );
  const isPending = status === null || status === 'pending';
  const { state = null, reason = null, nextAttemptAt = null } = crmDelivery ?? {};
  return (
    <>
      <CrmBadge status={status} isPaused={isPending && (state === 'held' || state === 'cancelled')} />
      {reason === null ? null : <StatusNote>{reason}</StatusNote>}
      {nextAttemptAt !== null && Date.parse(nextAttemptAt) > now ? (
        <StatusNote>
          {leadCopy.nextAttempt} <Upcoming iso={nextAttemptAt} now={now} />
        </StatusNote>
      ) : null}
    </>
  );
}

const StatusNote = styled.p`
  color: ${token.muted};
  font-size: 0.8125rem;
  overflow-wrap: anywhere;
`;

interface ProviderStatusProps {
  lead: AdminLead;
  now: number;
  isBusy?: boolean;
  /** Null: there is no button. */
  onResend: (() => void) | null;
}

/**
 * Why the provider doesn't have the lead, and when its email is attempted next. Nothing once it was sent, before its
 * first attempt, and for a lead that isn't sent at all. A button sends it again.
 */
export function ProviderStatus({ lead, now, isBusy = false, onResend }: ProviderStatusProps) {
  const { providerDelivery: email, provider_id: providerId, quarantineReason, clinicNotReached } = lead;
  if (email === null || email.reason === null || providerId === null || quarantineReason !== null)
    return null;
  const { state, reason, nextAttemptAt } = email;
  if (!clinicNotReached && state !== 'held' && state !== 'queued') return null;
  return (
    <div>
      {clinicNotReached ? (
        <Badge tone="danger">
          <CircleAlert />
          {leadCopy.clinicNotReached}
        </Badge>
      ) : state === 'held' ? (
        <Badge>
          <CirclePause />
          {leadCopy.notSent}
        </Badge>
      ) : (
        <Badge tone="warning">
          <Clock />
          {leadCopy.clinicRetrying}
        </Badge>
      )}
      <StatusNote>{reason}</StatusNote>
      {nextAttemptAt !== null && Date.parse(nextAttemptAt) > now ? (
        <StatusNote>
          {leadCopy.nextAttempt} <Upcoming iso={nextAttemptAt} now={now} />
        </StatusNote>
      ) : null}
      {onResend === null ? null : (
        <Resend variant="quiet" isBusy={isBusy} onClick={onResend}>
          {leadCopy.resendToProvider}
        </Resend>
      )}
    </div>
  );
}

const Resend = styled(ActionButton)`
  margin-inline-start: -0.375rem;
  padding-inline: 0.375rem;
  white-space: nowrap;
`;

interface ProviderCellProps {
  lead: AdminLead;
  now: number;
  canChange: boolean;
  isBusy: boolean;
  onAssign: (providerId: number) => void;
  onResend: () => void;
}

/** The provider of a lead, or a picker for one. */
export function ProviderCell({ lead, now, canChange, isBusy, onAssign, onResend }: ProviderCellProps) {
  if (lead.provider_id === null)
    return (
      <Line>
        <Badge tone="warning">{leadCopy.badges.unmatched}</Badge>
        {canChange ? (
          <LeadPicker leadId={lead.id} disabled={isBusy} onPick={onAssign}>
            {leadCopy.pick.placeholder}
          </LeadPicker>
        ) : null}
      </Line>
    );
  return (
    <>
      <Line>
        <Typed>{lead.provider?.name ?? leadCopy.unknownProvider(lead.provider_id)}</Typed>
        {lead.provider?.status === 'f' ? <Badge>{leadCopy.badges.inactive}</Badge> : null}
      </Line>
      <ProviderStatus lead={lead} now={now} isBusy={isBusy} onResend={canChange ? onResend : null} />
    </>
  );
}

const Line = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.25rem 0.5rem;
  min-inline-size: 7.5rem;

  & button {
    white-space: nowrap;
  }
`;

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
