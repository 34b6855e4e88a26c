import { styled } from 'styled-components';
import { Link, useSearchParams } from 'wouter';
import type { DeliveryFilter } from '#shared/admin/adminDeliveries.ts';
import { deliveriesHref } from './deliverySearchParams.ts';

interface DeliveriesLinkProps {
  filter: DeliveryFilter;
  label?: string;
  children: string;
}

/** From another tab to the deliveries that match a filter. */
export function DeliveriesLink({ filter, label, children }: DeliveriesLinkProps) {
  const [params] = useSearchParams();
  return (
    <TabLink href={deliveriesHref(params, filter)} aria-label={label}>
      {children}
    </TabLink>
  );
}

const TabLink = styled(Link)`
  justify-self: start;
  padding-block: 0.25rem;
  font-size: 0.9375rem;
`;
