import { useState } from 'react';
import { styled } from 'styled-components';
import { Link } from 'wouter';
import { BreakAnywhere } from '#client/admin/kit/BreakAnywhere.tsx';
import { Fact, FactList, Facts } from '#client/admin/kit/Facts.tsx';
import { Instant, useNow } from '#client/admin/kit/RelativeTime.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import type { AdminLead, UnreachableCause } from '#shared/admin/adminLeads.ts';
import { buildProviderHref } from '#shared/admin/adminProviders.ts';
import type { LeadDetail } from '#shared/admin/leadDetail.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { leadDetailCopy as copy } from '#shared/admin/leadDetailCopy.ts';
import { matchMethodNames, quarantineReasonNames } from '#shared/admin/leadDetailCopy.ts';
import { distanceText } from '#shared/formats/writing.ts';
import type { CorrectableField } from '#shared/leads/correction.ts';
import { describeLeadField, leadFieldTable, optionalLeadFields } from '#shared/leads/leadFieldTable.ts';
import { phoneHref } from '#shared/leads/phone.ts';
import { CrmStatus, ProviderStatus } from '#client/admin/leads/LeadCells.tsx';
import { Candidates } from './Candidates.tsx';
import { CorrectButton } from './CorrectButton.tsx';

/** How to reach the person, and when the lead was sent. */
export function ContactSection({ detail, canCorrect }: { detail: LeadDetail; canCorrect: boolean }) {
  const { lead, unreachable } = detail;
  const now = useNow();
  const correct = (field: CorrectableField) =>
    canCorrect ? <CorrectButton lead={lead} field={field} /> : null;
  return (
    <Facts title={copy.contact}>
      <FactList>
        <Fact name={copy.title}>#{lead.id}</Fact>
        <Fact name={leadFieldTable.email.label}>
          <a href={`mailto:${lead.email}`}>
            <BreakAnywhere text={lead.email} before="@" />
          </a>{' '}
          <UnreachableBadge cause={unreachable.lead} /> {correct('email')}
        </Fact>
        <Fact name={leadFieldTable.phone.label}>
          <a href={phoneHref(lead.phone)}>{lead.phone}</a> {correct('phone')}
        </Fact>
        <Fact name={leadFieldTable.zip_code.label}>
          {lead.zip_code} {correct('zip_code')}
        </Fact>
        {optionalLeadFields.map((field) => (
          <Fact key={field} name={describeLeadField(field).label}>
            {lead[field] ?? null}
          </Fact>
        ))}
        {lead.answers?.map(({ id, question, answer }) => (
          <Fact key={id} name={question}>
            {answer}
          </Fact>
        ))}
        <Fact name={copy.sent}>
          <Instant iso={lead.created_at} />
        </Fact>
        <Fact name={leadCopy.columns.crm}>
          <CrmStatus lead={lead} now={now} />
        </Fact>
        <Fact name={copy.quarantine}>
          {lead.quarantineReason === null ? null : quarantineReasonNames[lead.quarantineReason]}
        </Fact>
        <Fact name={copy.honeypot}>{lead.filledHoneypot ? copy.filledHoneypot : null}</Fact>
      </FactList>
    </Facts>
  );
}

function UnreachableBadge({ cause }: { cause: UnreachableCause | null }) {
  return cause === null ? null : <Badge tone="warning">{leadCopy.unreachable[cause]}</Badge>;
}

/** The lead's provider, the reason of the match, and other providers nearby, each with a button that assigns it. */
export function MatchSection({ detail, canAssign }: { detail: LeadDetail; canAssign: boolean }) {
  const { lead, candidates, unreachable, providerPhone, providerEmail } = detail;
  // It stays open after an assignment.
  const [isOpen] = useState(lead.provider_id === null);
  const now = useNow();
  const { match } = lead;
  return (
    <Facts title={copy.match}>
      <FactList>
        <Fact name={copy.provider}>
          <MatchedProvider lead={lead} /> <UnreachableBadge cause={unreachable.provider} />
          <ProviderStatus lead={lead} now={now} />
        </Fact>
        <Fact name={copy.providerPhone}>
          {providerPhone === null ? null : <a href={phoneHref(providerPhone)}>{providerPhone}</a>}
        </Fact>
        <Fact name={copy.providerEmail}>{providerEmail}</Fact>
        <Fact name={copy.method}>{matchMethodNames[match.method]}</Fact>
        <Fact name={copy.reason}>{match.reason}</Fact>
        <Fact name={copy.distance}>{match.miles === null ? null : distanceText(match.miles)}</Fact>
      </FactList>
      {candidates.length === 0 ? null : (
        <details open={isOpen}>
          <Summary>{copy.candidates}</Summary>
          <Candidates candidates={candidates} lead={lead} canAssign={canAssign} />
        </details>
      )}
    </Facts>
  );
}

function MatchedProvider({ lead: { provider_id: id, provider } }: { lead: AdminLead }) {
  if (id === null) return <Badge tone="warning">{leadCopy.badges.unmatched}</Badge>;
  return (
    <>
      <Link href={buildProviderHref(id)}>{provider?.name ?? leadCopy.unknownProvider(id)}</Link>{' '}
      {provider?.status === 'f' ? <Badge>{leadCopy.badges.inactive}</Badge> : null}
    </>
  );
}

/** The consent, as recorded in the evidence. Folded: staff rarely need it. */
export function ConsentSection({ consent }: { consent: LeadDetail['consent'] }) {
  if (consent === null) return <Facts title={copy.consent}>{copy.noConsent}</Facts>;
  return (
    <Facts title={copy.consent}>
      <details>
        <Summary>{copy.evidence}</Summary>
        <FactList>
          <Fact name={copy.consentText}>{consent.text === '' ? null : <q>{consent.text}</q>}</Fact>
          <Fact name={copy.version}>{consent.version}</Fact>
          <Fact name={copy.purpose}>{consent.purpose}</Fact>
          <Fact name={copy.namedProvider}>{consent.provider}</Fact>
          <Fact name={copy.form}>{consent.form}</Fact>
          <Fact name={copy.prechecked}>
            {consent.prechecked === null ? null : copy.isPrechecked(consent.prechecked)}
          </Fact>
          <Fact name={copy.agreed}>
            <Instant iso={consent.at} />
          </Fact>
          <Fact name={copy.clientClock}>
            {consent.clientClock === null ? null : <Instant iso={consent.clientClock} />}
          </Fact>
          <Fact name={copy.address}>{consent.ip}</Fact>
          <Fact name={copy.userAgent}>{consent.userAgent}</Fact>
          <Fact name={copy.page}>{consent.page}</Fact>
          <Fact name={copy.host}>{consent.host}</Fact>
          <Fact name={copy.seal}>{consent.isSealed ? copy.sealed : copy.unsealed}</Fact>
        </FactList>
      </details>
    </Facts>
  );
}

const Summary = styled.summary`
  margin-block-start: 0.5rem;
  padding-block: 0.375rem;

  ${media.touch} {
    padding-block: 0.75rem;
  }

  color: ${token.secondary};
  font-size: 0.9375rem;
  font-weight: 600;
  cursor: pointer;
`;
