import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { Link } from 'wouter';
import { media, token } from '#client/theme/tokens.ts';
import { Badge, type BadgeTone } from '#client/ui/Badge.tsx';
import { CircleAlert, CirclePause, Clock, MessageCircle, Repeat2, ShieldAlert } from '#client/ui/Icon.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { type LeadOutcome, leadOutcomeNames } from '#shared/leads/leadOutcomes.ts';
import { phoneHref } from '#shared/leads/phone.ts';
import { CrmBadge } from '#client/admin/kit/CrmBadge.tsx';
import { aheadText } from '#client/admin/kit/times.ts';
import { leadName } from './copy.ts';
import { LeadPicker } from './LeadPicker.tsx';
import type { LeadActions } from './useLeadActions.ts';

/** Who sent the lead, with a link to its drawer, what is special about it, and how to reach the person. Two lines. */
export function ContactCell({ lead, href }: { lead: AdminLead; href: string }) {
  const name = leadName(lead);
  return (
    <>
      <Line>
        <Name href={href} aria-label={leadCopy.open(name)} title={name}>
          {name}
        </Name>
        <LeadBadges lead={lead} />
      </Line>
      {lead.isErased ? null : (
        <ReachLine>
          <EmailLink href={`mailto:${lead.email}`} title={lead.email}>
            {lead.email}
          </EmailLink>
          <PhoneLink href={phoneHref(lead.phone)} title={lead.phone}>
            {lead.phone}
          </PhoneLink>
        </ReachLine>
      )}
    </>
  );
}

/** What is special about a lead. Badges without room are only in the tooltip. */
export function LeadBadges({ lead }: { lead: AdminLead }) {
  const badges = listBadges(lead);
  if (badges.length === 0) return null;
  return (
    <Badges title={badges.map(({ label }) => label).join(', ')}>
      {badges.map(({ label, tone, Mark }) => (
        <Badge key={label} tone={tone}>
          {Mark === undefined ? null : <Mark />}
          {label}
        </Badge>
      ))}
    </Badges>
  );
}

interface LeadBadge {
  label: string;
  tone: BadgeTone;
  Mark?: typeof Clock;
}

/** The most important one first. */
function listBadges(lead: AdminLead): LeadBadge[] {
  const { outcome, isRepeat, isErased, filledHoneypot, quarantineReason, unreachable = null } = lead;
  const { badges } = leadCopy;
  return [
    ...(quarantineReason === null
      ? []
      : quarantineReason === 'test'
        ? [{ label: badges.test, tone: 'neutral' as const }]
        : quarantineReason === 'over-limit'
          ? [{ label: badges.overLimit, tone: 'warning' as const, Mark: Clock }]
          : [{ label: badges.quarantined, tone: 'danger' as const, Mark: ShieldAlert }]),
    ...(outcome === null
      ? []
      : [{ label: leadOutcomeNames[outcome], tone: tones[outcome], Mark: MessageCircle }]),
    ...(isErased ? [{ label: badges.erased, tone: 'neutral' as const }] : []),
    ...(unreachable === null ? [] : [{ label: leadCopy.unreachable[unreachable], tone: 'warning' as const }]),
    ...(filledHoneypot && quarantineReason === null
      ? [{ label: badges.filledHoneypot, tone: 'warning' as const }]
      : []),
    ...(isRepeat ? [{ label: badges.repeat, tone: 'neutral' as const, Mark: Repeat2 }] : []),
  ];
}

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

/** Of a lead that isn't sent, a word in place of the status. */
export function CrmMark({ lead }: { lead: AdminLead }) {
  const { crm_sync_status: status, crmDelivery, quarantineReason } = lead;
  if (quarantineReason !== null) return <NotSent />;
  const isPending = status === null || status === 'pending';
  const state = crmDelivery?.state;
  return <CrmBadge status={status} isPaused={isPending && (state === 'held' || state === 'cancelled')} />;
}

function NotSent() {
  return (
    <Badge>
      <CirclePause />
      {leadCopy.notSent}
    </Badge>
  );
}

/** The CRM status of a lead, why it is not delivered, and when it is attempted next. */
export function CrmStatus({ lead, now }: { lead: AdminLead; now: number }) {
  return (
    <>
      <CrmMark lead={lead} />
      {lead.quarantineReason === null ? <DeliveryNote delivery={lead.crmDelivery} now={now} /> : null}
    </>
  );
}

/** Why a delivery waits or failed, and when it is attempted next, in a line that may be cut. */
export function DeliveryNote({ delivery, now }: { delivery: AdminLead['crmDelivery']; now: number }) {
  const { reason = null, nextAttemptAt = null } = delivery ?? {};
  const isWaiting = nextAttemptAt !== null && Date.parse(nextAttemptAt) > now;
  const next = isWaiting ? `${leadCopy.nextAttempt} ${aheadText(nextAttemptAt, now)}` : null;
  const text = [reason, next].filter((part) => part !== null).join(' ');
  return text === '' ? null : <StatusNote title={text}>{text}</StatusNote>;
}

export const StatusNote = styled.p`
  min-inline-size: 0;
  color: ${token.muted};
  font-size: 0.8125rem;
  overflow-wrap: anywhere;
`;

/**
 * Why the provider doesn't have the lead, and when its email is attempted next. Nothing once it was sent, before its
 * first attempt, and for a lead that isn't sent at all.
 */
export function ProviderStatus({ lead, now }: { lead: AdminLead; now: number }) {
  const { providerDelivery: email, provider_id: providerId, quarantineReason, clinicNotReached } = lead;
  if (email === null || email.reason === null || providerId === null || quarantineReason !== null)
    return null;
  const { state } = email;
  if (!clinicNotReached && state !== 'held' && state !== 'queued') return null;
  return (
    <Status data-status="">
      {clinicNotReached ? (
        <Badge tone="danger">
          <CircleAlert />
          {leadCopy.clinicNotReached}
        </Badge>
      ) : state === 'held' ? (
        <NotSent />
      ) : (
        <Badge tone="warning">
          <Clock />
          {leadCopy.clinicRetrying}
        </Badge>
      )}
      <DeliveryNote delivery={email} now={now} />
    </Status>
  );
}

/** In a line, a note without room wraps out of sight. */
const Status = styled.div`
  min-inline-size: 0;

  & > p {
    flex: 1 1 4rem;
  }
`;

interface ProviderCellProps {
  lead: AdminLead;
  now: number;
  isBusy: boolean;
  actions: AssignActions | null;
}

/** The provider of a lead with a picker for another one, and below why the provider doesn't have the lead. */
export function ProviderCell({ lead, now, isBusy, actions }: ProviderCellProps) {
  const { provider_id: providerId, provider } = lead;
  if (providerId === null)
    return (
      <>
        <Badge tone="warning">{leadCopy.badges.unmatched}</Badge>
        {actions === null ? null : (
          <Line>
            <AssignPicker {...{ lead, isBusy, actions }} />
          </Line>
        )}
      </>
    );
  const name = provider?.name ?? leadCopy.unknownProvider(providerId);
  return (
    <>
      <Line>
        <Clipped title={name}>{name}</Clipped>
        {provider?.status === 'f' ? <Badge>{leadCopy.badges.inactive}</Badge> : null}
        {actions === null ? null : <AssignPicker {...{ lead, isBusy, actions }} />}
      </Line>
      <ProviderStatus lead={lead} now={now} />
    </>
  );
}

type AssignActions = Pick<LeadActions, 'assign' | 'takeAway'>;

interface AssignPickerProps {
  lead: AdminLead;
  isBusy: boolean;
  actions: AssignActions;
  children?: ReactNode;
}

/** Of a lead that has a provider, only an arrow. */
export function AssignPicker({ lead, isBusy, actions, children }: AssignPickerProps) {
  const isUnmatched = lead.provider_id === null;
  return (
    <LeadPicker
      leadId={lead.id}
      currentId={lead.provider_id}
      disabled={isBusy}
      variant="quiet"
      label={isUnmatched ? leadCopy.pick.placeholder : leadCopy.pick.change}
      onTakeAway={isUnmatched ? undefined : () => actions.takeAway(lead)}
      onPick={(providerId) => actions.assign(lead, providerId)}
    >
      {children ?? (isUnmatched ? leadCopy.pick.placeholder : null)}
    </LeadPicker>
  );
}

/** One line: what comes after the first part gives way. */
export const Line = styled.div`
  display: flex;
  align-items: center;
  gap: 0.375rem;
  min-inline-size: 0;
  min-block-size: 1.5rem;
  white-space: nowrap;
`;

export const Clipped = styled.span`
  display: block;
  min-inline-size: 0;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
`;

const Name = styled(Link)`
  flex: 0 1 auto;
  min-inline-size: 4rem;
  overflow: hidden;
  color: ${token.ink};
  font-weight: 600;
  line-height: 1.5rem;
  text-decoration: none;
  text-overflow: ellipsis;

  ${media.touch} {
    min-block-size: 2.75rem;
    line-height: 2.75rem;
  }

  &:hover {
    text-decoration: underline;
  }
`;

/** Badges without room wrap to a line that isn't shown. */
const Badges = styled.span`
  display: flex;
  flex: none;
  flex-wrap: wrap;
  gap: 0.25rem;
  block-size: 1.25rem;
  max-inline-size: 65%;
  overflow: hidden;
`;

const ReachLine = styled(Line)`
  gap: 0.75rem;
`;

const contactLink = css`
  overflow: hidden;
  color: ${token.muted};
  line-height: 1.5rem;
  text-decoration: none;
  text-overflow: ellipsis;

  &:hover {
    color: ${token.ink};
    text-decoration: underline;
  }

  ${media.touch} {
    min-inline-size: 2.75rem;
    min-block-size: 2.75rem;
    line-height: 2.75rem;
  }
`;

const EmailLink = styled.a`
  ${contactLink}
  min-inline-size: 0;
`;

/** A longer one than usual has an extension or a remark. */
const PhoneLink = styled.a`
  ${contactLink}
  flex: none;
  max-inline-size: 8rem;
`;
