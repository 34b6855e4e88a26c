import { useRef } from 'react';
import { styled } from 'styled-components';
import { useSite } from '#client/api/tenant.tsx';
import { OfferTags } from '#client/sections/kit/OfferTags.tsx';
import { token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { directionsAddress, network } from '#shared/brand/map.ts';
import { matchPreviewTexts } from '#shared/brand/matchPreview.ts';
import { providerHome, requestPath } from '#shared/pages/site.ts';
import { toProviderView } from '#shared/providers/providerView.ts';
import { carryZipLink } from './ZipForm.tsx';
import type { ListedProvider } from './distances.ts';
import { MapPin, MessageCircle, Phone } from '#client/ui/Icon.tsx';
import { Span } from '#client/ui/Span.tsx';
import { useKeptFocus } from '#client/ui/keptFocus.ts';

interface ProviderItemProps {
  listed: ListedProvider;
  isChosen: boolean;
  /** The nearest, or without an order. Others have two buttons until they are chosen. */
  isLarge: boolean;
  onShow: (button: HTMLElement) => void;
}

/** One provider of the list: name, distance and actions. It keeps the focus when it is drawn large or small. */
export function ProviderItem(props: ProviderItemProps) {
  const { isChosen, isLarge, listed } = props;
  const item = useRef<HTMLLIElement>(null);
  const kept = useKeptFocus(item);
  return (
    <Item
      ref={item}
      data-provider={listed.provider.id}
      aria-current={isChosen ? 'true' : undefined}
      {...kept}
    >
      {isLarge || isChosen ? <WholeItem {...props} /> : <CompactItem {...props} />}
    </Item>
  );
}

function WholeItem({ listed, isLarge, onShow }: ProviderItemProps) {
  const { provider, point, miles } = listed;
  const { mainOrigin } = useSite();
  const view = toProviderView(provider);
  return (
    <>
      <Head>
        <Name>
          <a href={providerHome(view, mainOrigin)}>{view.label}</a>
        </Name>
        {miles === null || isLarge ? null : <Distance>{matchPreviewTexts.miles(miles)}</Distance>}
      </Head>
      {miles === null || !isLarge ? null : (
        <Span
          label={matchPreviewTexts.miles(miles)}
          end={Math.max(miles, 0.1)}
          startText={network.list.you}
          endText={matchPreviewTexts.miles(miles)}
        />
      )}
      <AddressLine view={view} />
      <OfferTags provider={view} />
      <Actions>
        <RequestLink href={requestPath(view.id)} onClick={carryZipLink}>
          {network.list.request}
          <VisuallyHidden>
            {' '}
            {network.list.requestWith} {view.label}
          </VisuallyHidden>
        </RequestLink>
        {view.phoneHref === null ? null : <PhoneLink href={view.phoneHref}>{view.phone}</PhoneLink>}
        {point === null ? (
          <NotOnMap>{network.list.notOnMap}</NotOnMap>
        ) : (
          <ShowButton type="button" onClick={(event) => onShow(event.currentTarget)}>
            {network.list.showOnMap}
            <VisuallyHidden> {view.label}</VisuallyHidden>
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
              {view.label} {network.list.newWindow}
            </VisuallyHidden>
          </ActionLink>
        )}
      </Actions>
    </>
  );
}

/** Name, place, distance and two buttons. */
function CompactItem({ listed, onShow }: ProviderItemProps) {
  const { mainOrigin } = useSite();
  const { provider, point, miles } = listed;
  const view = toProviderView(provider);
  const request = `${network.list.request} ${network.list.requestWith} ${view.label}`;
  const show = `${network.list.showOnMap} ${view.label}`;
  const call = `${network.list.call} ${view.label}`;
  return (
    <Row>
      <div>
        <Name>
          <a href={providerHome(view, mainOrigin)}>{view.label}</a>
        </Name>
        <AddressLine view={view} />
      </div>
      {miles === null ? null : <Distance>{matchPreviewTexts.miles(miles)}</Distance>}
      <IconLink href={requestPath(view.id)} aria-label={request} title={request} onClick={carryZipLink}>
        <MessageCircle />
      </IconLink>
      {point !== null ? (
        <IconLink
          as="button"
          type="button"
          aria-label={show}
          title={show}
          onClick={(event) => onShow(event.currentTarget)}
        >
          <MapPin />
        </IconLink>
      ) : view.phoneHref === null ? null : (
        <IconLink href={view.phoneHref} aria-label={call} title={call}>
          <Phone />
        </IconLink>
      )}
    </Row>
  );
}

function AddressLine({ view }: { view: ReturnType<typeof toProviderView> }) {
  return (
    <Address>
      {view.address === null ? null : <>{view.address} </>}
      {view.zipCode}
    </Address>
  );
}

const Row = styled.div`
  display: flex;
  align-items: center;
  gap: 0.5rem;

  & > div {
    flex: 1;
    min-inline-size: 0;
  }
`;

/** A round button with an icon, 44 px to touch. */
const IconLink = styled.a<{ type?: 'button' }>`
  display: grid;
  flex: none;
  place-items: center;
  inline-size: 2.75rem;
  block-size: 2.75rem;
  padding: 0;
  border: 1px solid ${token.line};
  border-radius: ${token.pill};
  background: none;
  color: ${token.primary};
  cursor: pointer;
`;

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
