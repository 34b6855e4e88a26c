import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { BreakAnywhere } from '#client/admin/kit/BreakAnywhere.tsx';
import { Fact, FactList, Facts } from '#client/admin/kit/Facts.tsx';
import { Instant, useNow } from '#client/admin/kit/RelativeTime.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import type { AdminLead, UnreachableCause } from '#shared/admin/adminLeads.ts';
import type { LeadDetail } from '#shared/admin/leadDetail.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { leadDetailCopy as copy } from '#shared/admin/leadDetailCopy.ts';
import { matchMethodNames, quarantineReasonNames } from '#shared/admin/leadDetailCopy.ts';
import { distanceText } from '#shared/formats/writing.ts';
import type { CorrectableField } from '#shared/leads/correction.ts';
import { describeLeadField, leadFieldTable, optionalLeadFields } from '#shared/leads/leadFieldTable.ts';
import { phoneHref } from '#shared/leads/phone.ts';
import { CrmStatus, ProviderStatus } from '#client/admin/leads/LeadCells.tsx';
import { CorrectButton } from './CorrectButton.tsx';

const firstCandidates = 10;

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

/** The lead's provider, the reason of the match, and other providers nearby. */
export function MatchSection({ detail }: { detail: LeadDetail }) {
  const { lead, candidates, unreachable, providerPhone, providerEmail } = detail;
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
        <details>
          <Summary>{copy.candidates}</Summary>
          <Candidates candidates={candidates} currentId={lead.provider_id} />
        </details>
      )}
    </Facts>
  );
}

interface CandidatesProps {
  candidates: LeadDetail['candidates'];
  currentId: number | null;
}

/** The nearest ten, and the others on request. */
function Candidates({ candidates, currentId }: CandidatesProps) {
  const [isWhole, setIsWhole] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  function showAll(): void {
    setIsWhole(true);
    // The button disappears.
    list.current?.focus();
  }
  return (
    <>
      <List ref={list} tabIndex={-1}>
        {candidates.slice(0, isWhole ? undefined : firstCandidates).map(({ id, name, zipCode, miles }) => (
          <Candidate key={id} aria-current={id === currentId ? 'true' : undefined}>
            <span>{leadCopy.pick.item(name, zipCode)}</span>
            {miles === null ? null : <span>{distanceText(miles)}</span>}
          </Candidate>
        ))}
      </List>
      {isWhole || candidates.length <= firstCandidates ? null : (
        <ActionButton variant="quiet" onClick={showAll}>
          {copy.allCandidates(candidates.length)}
        </ActionButton>
      )}
    </>
  );
}

function MatchedProvider({ lead: { provider_id: id, provider } }: { lead: AdminLead }) {
  if (id === null) return <Badge tone="warning">{leadCopy.badges.unmatched}</Badge>;
  return (
    <>
      {provider?.name ?? leadCopy.unknownProvider(id)}{' '}
      {provider?.status === 'f' ? <Badge>{leadCopy.badges.inactive}</Badge> : null}
    </>
  );
}

/** The consent, as recorded in the evidence. */
export function ConsentSection({ consent }: { consent: LeadDetail['consent'] }) {
  if (consent === null) return <Facts title={copy.consent}>{copy.noConsent}</Facts>;
  return (
    <Facts title={copy.consent}>
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

const List = styled.ol`
  &:focus {
    outline: none;
  }
`;

const Candidate = styled.li`
  display: flex;
  justify-content: space-between;
  gap: 1rem;
  padding: 0.25rem 0.5rem;
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.4;

  &[aria-current] {
    background: ${token.tint};
    font-weight: 600;
  }

  & > :last-child:not(:first-child) {
    flex: none;
    color: ${token.muted};
  }
`;
