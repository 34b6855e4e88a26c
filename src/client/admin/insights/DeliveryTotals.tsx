import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { CrmBadge } from '#client/admin/kit/CrmBadge.tsx';
import { token } from '#client/theme/tokens.ts';
import { crmStatuses } from '#shared/admin/adminLeads.ts';
import type { DeliveryHealth } from '#shared/admin/insights.ts';
import { deliveryCopy as copy, insightCopy } from './copy.ts';
import { type LeadDay, share, addUp } from './insightDays.ts';

interface DeliveryTotalsProps {
  channels: DeliveryHealth['channels'];
  deliveries: DeliveryHealth['deliveries'];
  leadDays: readonly LeadDay[];
}

/** Below the chart: the deliveries of each channel with their attempts, and the CRM status of the leads of these days. */
export function DeliveryTotals({ channels, deliveries, leadDays }: DeliveryTotalsProps) {
  const leads = addUp(leadDays, ({ total }) => total);
  const tried = channels.filter(({ delivered, failed }) => delivered + failed > 0);
  if (tried.length === 0 && leads === 0) return null;
  return (
    <Groups>
      {tried.length === 0 ? null : (
        <Group title={copy.channels}>
          {tried.map(({ channel, delivered, failed }) => (
            <Fact key={channel}>
              <dt>{copy.channel(channel)}</dt>
              <Delivered delivery={deliveries.find((known) => known.channel === channel)} />
              <dd>{copy.attempts(delivered + failed, failed)}</dd>
            </Fact>
          ))}
        </Group>
      )}
      {leads === 0 ? null : (
        <Group title={copy.crm}>
          {crmStatuses.map((status) => (
            <Fact key={status}>
              <dt>
                <CrmBadge status={status} />
              </dt>
              <dd>
                <strong>{addUp(leadDays, (day) => day[status]).toLocaleString('en-US')}</strong>
              </dd>
            </Fact>
          ))}
        </Group>
      )}
    </Groups>
  );
}

/** Null for a channel that only attempted deliveries of other days. */
function Delivered({ delivery }: { delivery: DeliveryHealth['deliveries'][number] | undefined }) {
  if (delivery === undefined || delivery.total === 0) return null;
  const { delivered, total } = delivery;
  return (
    <dd>
      <strong>{insightCopy.percent(share(delivered, total) ?? 0)}</strong>
      <span>{copy.ofDeliveries(delivered, total)}</span>
    </dd>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3>{title}</h3>
      <dl>{children}</dl>
    </div>
  );
}

const Groups = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 1.25rem 3rem;
  padding-block-start: 1.25rem;
  border-block-start: 1px solid ${token.line};

  & h3 {
    margin-block-end: 0.5rem;
    color: ${token.muted};
    font-size: 0.8125rem;
    font-weight: 600;
    letter-spacing: 0;
  }

  & dl {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem clamp(1rem, 3vw, 2rem);
  }
`;

const Fact = styled.div`
  font-size: 0.875rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.4;

  & dd {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 0.5rem;
    margin: 0;
    color: ${token.muted};
  }

  & strong {
    color: ${token.primary};
    font-size: 1.125rem;
    font-weight: 700;
  }
`;
