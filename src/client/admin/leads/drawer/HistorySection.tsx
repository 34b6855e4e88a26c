import { styled } from 'styled-components';
import { Link } from 'wouter';
import { DeliveriesLink } from '#client/admin/kit/DeliveriesLink.tsx';
import { Instant, useNow } from '#client/admin/kit/RelativeTime.tsx';
import { media, token } from '#client/theme/tokens.ts';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import type { LeadDetail } from '#shared/admin/leadDetail.ts';
import { leadDetailCopy as copy } from '#shared/admin/leadDetailCopy.ts';
import { leadEventNames, quarantineReasonName } from '#shared/admin/leadDetailCopy.ts';
import { Fact, FactList, Facts } from '#client/admin/kit/Facts.tsx';
import { StageTrack } from '../StageTrack.tsx';

/** The history with the enlarged track, oldest first. */
export function HistorySection({ detail: { lead, events } }: { detail: LeadDetail }) {
  const now = useNow();
  return (
    <Facts title={copy.history}>
      <StageTrack stage={lead.stage} now={now} size="large" />
      {events.length === 0 ? copy.noHistory : null}
      <Timeline>
        {events.map((event) => (
          <Event key={`${event.at} ${event.kind} ${event.by} ${event.detail}`}>
            <Head>
              <strong>{leadEventNames[event.kind] ?? event.kind}</strong> {copy.by(event.by)}
            </Head>
            {event.detail === '' ? null : (
              <p>{event.kind === 'quarantined' ? quarantineReasonName(event.detail) : event.detail}</p>
            )}
            <At>
              <Instant iso={event.at} />
            </At>
          </Event>
        ))}
      </Timeline>
      <DeliveriesLink search={{ lead: lead.id }}>{copy.deliveries}</DeliveriesLink>
    </Facts>
  );
}

/** Where the person came from. */
export function AttributionSection({ attribution }: Pick<LeadDetail, 'attribution'>) {
  if (attribution.length === 0) return null;
  return (
    <Facts title={copy.attribution}>
      <FactList>
        {attribution.map(({ touch, name, value }) => (
          <Fact key={`${touch} ${name}`} name={`${copy.touches[touch]}: ${name}`}>
            {value}
          </Fact>
        ))}
      </FactList>
    </Facts>
  );
}

interface RepeatsSectionProps {
  detail: LeadDetail;
  buildHref: (id: number) => string;
}

/** Other leads of the same person. */
export function RepeatsSection({ detail: { lead, repeats }, buildHref }: RepeatsSectionProps) {
  if (repeats.length === 0) return null;
  return (
    <Facts title={copy.repeats}>
      <ul>
        {inOrderOfArrival(lead, repeats).map(({ id, created_at: at, email, phone }) => (
          <Other key={id}>
            {id === lead.id ? (
              <strong>{copy.thisLead}</strong>
            ) : (
              <Link href={buildHref(id)}>{copy.number(id)}</Link>
            )}{' '}
            <Instant iso={at} />
            <p>
              {phone}, {email}
            </p>
          </Other>
        ))}
      </ul>
    </Facts>
  );
}

/** Also this lead, in its place: which details came first matters, and which are right nobody knows. */
function inOrderOfArrival(lead: AdminLead, repeats: LeadDetail['repeats']): LeadDetail['repeats'] {
  return [lead, ...repeats].toSorted((a, b) => a.id - b.id);
}

const Other = styled.li`
  padding-block: 0.25rem;
  font-size: 0.9375rem;
  overflow-wrap: anywhere;

  ${media.touch} {
    & a {
      display: inline-grid;
      align-content: center;
      min-inline-size: 2.75rem;
      min-block-size: 2.75rem;
    }
  }
`;

const Timeline = styled.ol`
  margin-block-start: 0.75rem;
  margin-inline-start: 0.375rem;
  border-inline-start: 2px solid ${token.line};
`;

const Event = styled.li`
  position: relative;
  padding: 0 0 1rem 1.125rem;
  font-size: 0.9375rem;
  line-height: 1.45;
  overflow-wrap: anywhere;

  &::before {
    position: absolute;
    inset-block-start: 0.4rem;
    inset-inline-start: -0.375rem;
    inline-size: 0.625rem;
    block-size: 0.625rem;
    border-radius: ${token.pill};
    background: ${token.secondary};
    content: '';
  }
`;

const Head = styled.p`
  color: ${token.foreground};
`;

const At = styled.p`
  color: ${token.muted};
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;
`;
