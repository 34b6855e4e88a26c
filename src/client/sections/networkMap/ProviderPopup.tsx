import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Portrait } from '#client/ui/Picture.tsx';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import { network } from '#shared/brand/map.ts';
import type { ProviderView } from '#shared/providers/tenant.ts';

/** The provider at a pin. */
export function ProviderPopup({ provider }: { provider: ProviderView }) {
  return (
    <Who>
      <Portrait src={provider.imageUrl} initial={provider.initial} />
      <Lines>
        <Name>{provider.name}</Name>
        {provider.practiceName === null ? null : <p>{provider.practiceName}</p>}
        {provider.address === null ? null : (
          <address>
            {provider.address} {provider.zipCode}
          </address>
        )}
        {provider.websiteHref === null ? null : (
          <Website href={provider.websiteHref} target="_blank" rel="noopener noreferrer">
            {network.list.website} <VisuallyHidden>{network.list.newWindow}</VisuallyHidden>
          </Website>
        )}
      </Lines>
    </Who>
  );
}

const Who = styled.div`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0.875rem;
`;

const Lines = styled.div`
  display: grid;
  gap: 0.125rem;
  min-inline-size: 0;
  overflow-wrap: anywhere;

  & address {
    color: ${token.muted};
    font-style: normal;
  }
`;

const Name = styled.p`
  color: ${token.primary};
  font-weight: 700;
  line-height: 1.3;
`;

const Website = styled.a`
  justify-self: start;
  padding-block: 0.375rem;
  font-weight: 600;
`;
