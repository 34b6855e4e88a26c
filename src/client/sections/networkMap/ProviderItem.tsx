import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import { directionsAddress, network } from '#shared/brand/map.ts';
import { distanceText } from '#shared/formats/writing.ts';
import type { GeoPoint } from '#shared/leads/geo.ts';
import type { PublicProvider } from '#shared/providers/providers.ts';
import { toProviderView } from '#shared/providers/tenant.ts';
import type { ListedProvider } from './distances.ts';

/** A link to directions: to the address if there is one, which is more exact, else to the coordinates. */
function directionsHref({ address, zipCode }: PublicProvider, point: GeoPoint | null): string | null {
  const written = address?.trim() ?? '';
  if (written !== '') return `${directionsAddress}${encodeURIComponent(`${written} ${zipCode}`)}`;
  return point === null ? null : `${directionsAddress}${point.latitude},${point.longitude}`;
}

interface ProviderItemProps {
  listed: ListedProvider;
  isChosen: boolean;
  onShow: () => void;
}

/** One provider of the list: name, distance and actions. */
export function ProviderItem({ listed: { provider, point, miles }, isChosen, onShow }: ProviderItemProps) {
  const view = toProviderView(provider);
  const route = directionsHref(provider, point);
  return (
    <Item data-provider={view.id} aria-current={isChosen ? 'true' : undefined}>
      <Head>
        <Name>{view.name}</Name>
        {miles === null ? null : <Distance>{distanceText(miles)}</Distance>}
      </Head>
      {view.practiceName === null ? null : <p>{view.practiceName}</p>}
      <Address>
        {view.address === null ? null : <>{view.address} </>}
        {view.zipCode}
      </Address>
      <Actions>
        {point === null ? (
          <NotOnMap>{network.list.notOnMap}</NotOnMap>
        ) : (
          <ShowButton type="button" onClick={onShow}>
            {network.list.showOnMap}
            <VisuallyHidden> {view.name}</VisuallyHidden>
          </ShowButton>
        )}
        {view.phoneHref === null ? null : <ActionLink href={view.phoneHref}>{view.phone}</ActionLink>}
        {route === null ? null : (
          <ActionLink href={route} target="_blank" rel="noopener noreferrer">
            {network.list.directions}
            <VisuallyHidden>
              {' '}
              {view.name} {network.list.newWindow}
            </VisuallyHidden>
          </ActionLink>
        )}
      </Actions>
    </Item>
  );
}

const Item = styled.li`
  padding: 1rem 1.25rem;
  border-block-end: 1px solid ${token.line};
  line-height: 1.45;
  overflow-wrap: anywhere;

  &[aria-current] {
    background: ${token.tint};
    box-shadow: inset 4px 0 0 ${token.secondary};
  }
`;

const Head = styled.div`
  display: flex;
  align-items: baseline;
  justify-content: space-between;
  gap: 1rem;
`;

const Name = styled.h3`
  font-size: 1.0625rem;
  line-height: 1.3;
`;

const Distance = styled.p`
  flex: none;
  color: ${token.secondary};
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  font-weight: 600;
`;

const Address = styled.address`
  color: ${token.muted};
  font-size: 0.9375rem;
  font-style: normal;
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0 0.875rem;
  margin-block: 0.25rem -0.5rem;
`;

const ActionLink = styled.a`
  display: inline-flex;
  align-items: center;
  min-block-size: 2.75rem;
  color: ${token.secondary};
  font-size: 0.875rem;
  font-variant-numeric: tabular-nums;
  font-weight: 600;
`;

const ShowButton = styled(ActionLink).attrs({ as: 'button' })<{ type: 'button' }>`
  padding: 0;
  border: 0;
  background: none;
  text-decoration: underline;
  text-decoration-thickness: 1px;
  text-underline-offset: 0.2em;
  cursor: pointer;
`;

const NotOnMap = styled.span`
  display: inline-flex;
  align-items: center;
  min-block-size: 2.75rem;
  color: ${token.muted};
  font-size: 0.9375rem;
`;
