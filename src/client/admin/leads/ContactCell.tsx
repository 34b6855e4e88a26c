import { styled } from 'styled-components';
import { Link } from 'wouter';
import { BreakAnywhere, Typed, typedLook } from '#client/admin/kit/BreakAnywhere.tsx';
import { Row } from '#client/admin/kit/layout.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { Clock, Repeat2, ShieldAlert } from '#client/ui/Icon.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy, quarantineReasonNames } from '#shared/admin/leadCopy.ts';
import { OutcomeBadge } from './OutcomeBadge.tsx';
import { leadName } from './copy.ts';

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
