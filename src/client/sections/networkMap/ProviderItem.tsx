import { styled } from 'styled-components';
import { useSite } from '#client/api/tenant.tsx';
import { token, media } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { directionsAddress, network } from '#shared/brand/map.ts';
import { distanceText } from '#shared/formats/writing.ts';
import { providerHome, requestPath } from '#shared/pages/site.ts';
import { toProviderView, type ProviderView } from '#shared/providers/tenant.ts';
import type { ListedProvider } from './distances.ts';
import { Portrait } from '#client/ui/Picture.tsx';
import { Badge } from '#client/ui/Badge.tsx';

interface ProviderItemProps {
  listed: ListedProvider;
  isChosen: boolean;
  onShow: (button: HTMLElement) => void;
}

/** One provider of the list: name, distance and actions. */
export function ProviderItem({ listed: { provider, point, miles }, isChosen, onShow }: ProviderItemProps) {
  const { mainOrigin } = useSite();
  const view = toProviderView(provider);
  return (
    <Item data-provider={view.id} aria-current={isChosen ? 'true' : undefined}>
      <Head>
        <Name>
          <a href={providerHome(view, mainOrigin)}>{view.name}</a>
        </Name>
        {miles === null ? null : <Distance>{distanceText(miles)}</Distance>}
      </Head>
      {view.practiceName === null ? null : <p>{view.practiceName}</p>}
      <Address>
        {view.address === null ? null : <>{view.address} </>}
        {view.zipCode}
      </Address>
      <OfferTags provider={view} />
      <Actions>
        <RequestLink href={requestPath(view.id)}>
          {network.list.request}
          <VisuallyHidden>
            {' '}
            {network.list.requestWith} {view.name}
          </VisuallyHidden>
        </RequestLink>
        {view.phoneHref === null ? null : <PhoneLink href={view.phoneHref}>{view.phone}</PhoneLink>}
        {point === null ? (
          <NotOnMap>{network.list.notOnMap}</NotOnMap>
        ) : (
          <ShowButton type="button" onClick={(event) => onShow(event.currentTarget)}>
            {network.list.showOnMap}
            <VisuallyHidden> {view.name}</VisuallyHidden>
          </ShowButton>
        )}
        {view.destination === null ? null : (
          <ActionLink
            href={`${directionsAddress}${view.destination}`}
            target="_blank"
            rel="noopener noreferrer"
          >
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
  padding: 1rem 1.25rem 1rem 1rem;
  border-block-end: 1px solid ${token.line};
  border-inline-start: 0.25rem solid transparent;
  line-height: 1.45;
  overflow-wrap: anywhere;

  &[aria-current] {
    background: ${token.tint};
    border-inline-start-color: ${token.ink};
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

  /* 44 px to touch, in the space of a line. */
  & > a {
    display: inline-block;
    padding-block: 0.6875rem;
    margin-block: -0.4375rem;
    color: var(--surface-heading);
  }
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
  gap: 0 1rem;
  margin-block: 0.75rem -0.5rem;
`;

const RequestLink = styled(ButtonLink)`
  flex: 1 1 100%;
  margin-block-end: 0.5rem;
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

/** On a phone, where it dials, a button. */
const PhoneLink = styled(ActionLink)`
  @media (max-width: 47.99em) {
    flex: 1 1 100%;
    justify-content: center;
    border: 1.5px solid currentcolor;
    border-radius: ${token.pill};
    font-size: ${token.text};
    text-decoration: none;
  }
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

/** The provider at a pin. */
export function ProviderPopup({ provider }: { provider: ProviderView }) {
  const { mainOrigin } = useSite();
  return (
    <Who>
      <Portrait src={provider.imageUrl} initial={provider.initial} />
      <Lines>
        <PopupName>
          <a href={providerHome(provider, mainOrigin)}>{provider.name}</a>
        </PopupName>
        {provider.practiceName === null ? null : <p>{provider.practiceName}</p>}
      </Lines>
      <Below>
        {provider.address === null ? null : (
          <address>
            {provider.address} {provider.zipCode}
          </address>
        )}
        <Offers>
          <OfferTags provider={provider} />
        </Offers>
        <Contacts>
          {provider.phoneHref === null ? null : <a href={provider.phoneHref}>{provider.phone}</a>}
          {provider.websiteHref === null ? null : (
            <a href={provider.websiteHref} target="_blank" rel="noopener noreferrer">
              {network.list.website} <VisuallyHidden>{network.list.newWindow}</VisuallyHidden>
            </a>
          )}
        </Contacts>
        <Request href={requestPath(provider.id)}>{network.list.request}</Request>
      </Below>
    </Who>
  );
}

const Who = styled.div`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0.5rem 0.875rem;
`;

const Lines = styled.div`
  display: grid;
  gap: 0.125rem;
  min-inline-size: 0;
  overflow-wrap: anywhere;
`;

const PopupName = styled.p`
  font-weight: 700;
  line-height: 1.3;

  & > a {
    display: inline-block;
    padding-block: 0.25rem;
    color: ${token.primary};
  }
`;

const Contacts = styled.p`
  display: flex;
  flex-wrap: wrap;
  gap: 0 1rem;

  & > a {
    padding-block: 0.375rem;
    font-variant-numeric: tabular-nums;
    font-weight: 600;

    ${media.touch} {
      padding-block: 0.75rem;
    }
  }
`;

/** Its label fits one line of the narrowest popup. */
const Request = styled(ButtonLink)`
  padding-inline: 0.75rem;
`;

const Below = styled.div`
  display: grid;
  grid-column: 1 / -1;
  gap: 0.25rem;
  /* Below the button that closes the popup, which has the column at the edge. */
  margin-inline-end: -1.5rem;
  overflow-wrap: anywhere;

  & address {
    color: ${token.muted};
    font-style: normal;
  }
`;

/** On a phone, the list below the map has them: the popup leaves more of the map visible. */
const Offers = styled.div`
  display: none;

  ${media.tablet} {
    display: block;
  }
`;

/** What a provider offers, by its record. */
function OfferTags({ provider }: { provider: ProviderView }) {
  const { acceptsFreeConsultation, acceptsFinancing } = provider;
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
