import { styled } from 'styled-components';
import { Link, useSearchParams } from 'wouter';
import type { DeliveryFilter } from '#shared/admin/adminDeliveries.ts';
import { deliveriesHref } from '#client/admin/deliveries/deliverySearchParams.ts';

interface DeliveriesLinkProps {
  filter: DeliveryFilter;
  children: string;
}

/** From elsewhere in the dashboard to the deliveries that a filter lets through. */
export function DeliveriesLink({ filter, children }: DeliveriesLinkProps) {
  const [params] = useSearchParams();
  return <Way href={deliveriesHref(params, filter)}>{children}</Way>;
}

const Way = styled(Link)`
  justify-self: start;
  padding-block: 0.25rem;
  font-size: 0.9375rem;
`;
