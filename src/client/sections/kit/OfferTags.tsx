import { styled } from 'styled-components';
import { Badge } from '#client/ui/Badge.tsx';
import { network } from '#shared/brand/map.ts';
import type { ProviderView } from '#shared/providers/tenant.ts';

type Offers = Pick<ProviderView, 'acceptsFreeConsultation' | 'acceptsFinancing'>;

/** What a provider offers, by its record. Nothing without an offer. */
export function OfferTags({ provider: { acceptsFreeConsultation, acceptsFinancing } }: { provider: Offers }) {
  if (!acceptsFreeConsultation && !acceptsFinancing) return null;
  return (
    <Tags>
      {acceptsFreeConsultation ? <Badge tone="brand">{network.list.freeConsultation}</Badge> : null}
      {acceptsFinancing ? <Badge tone="brand">{network.list.financing}</Badge> : null}
    </Tags>
  );
}

const Tags = styled.p`
  display: flex;
  flex-wrap: wrap;
  gap: 0.375rem;
  margin-block: 0.375rem;
`;
