import { styled } from 'styled-components';
import { Link, useSearchParams } from 'wouter';
import { media } from '#client/theme/tokens.ts';
import { deliverySearch, type DeliverySearch } from '#shared/admin/adminDeliveries.ts';
import { searchParams } from '#shared/admin/searchParams.ts';

/** The leads' filters have the plain names in the same URL. */
export const deliveryPrefix = 'delivery';

const deliveryParams = searchParams(deliverySearch, deliveryPrefix);

interface DeliveriesLinkProps {
  search: Partial<DeliverySearch>;
  /** Names the link where its text does not. */
  label?: string;
  children: string;
}

/** A link from another tab to the deliveries that a search matches. It closes an open lead. */
export function DeliveriesLink({ search, label, children }: DeliveriesLinkProps) {
  const [params] = useSearchParams();
  const next = deliveryParams.write(params, search);
  next.set('tab', 'deliveries');
  next.delete('lead');
  return (
    <TextLink href={`?${next}`} aria-label={label}>
      {children}
    </TextLink>
  );
}

const TextLink = styled(Link)`
  justify-self: start;
  padding-block: 0.25rem;

  ${media.touch} {
    display: inline-block;
    padding-block: 0.75rem;
  }

  font-size: 0.9375rem;
`;
