import { styled } from 'styled-components';
import { usePage } from '#client/api/tenant.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import { ContactLink, PageColumn, PageTitle } from '#client/sections/kit/FormColumns.tsx';
import { Count, PlaceLink, PlaceList, Places } from '#client/sections/kit/PlaceList.tsx';
import { chrome } from '#shared/brand/chrome.ts';
import { directory, listCrumbs } from '#shared/brand/directory.ts';
import { network } from '#shared/brand/map.ts';
import { distanceText } from '#shared/formats/writing.ts';
import {
  type DirectoryLink,
  type DirectoryListing,
  type DirectoryProvider,
  listingPath,
} from '#shared/pages/directory.ts';
import { paths } from '#shared/pages/paths.ts';

/** The providers of the network, a state or a town. */
export function DirectoryPage() {
  const { listing } = usePage('directory');
  const { place, placeCount, places, providers, nearby, text } = listing;
  return (
    <PageColumn>
      <Breadcrumbs trail={listing.trail} />
      <PageTitle>{directory.title(listing)}</PageTitle>
      <Facts>{directory.facts(listing)}</Facts>
      {text === null ? null : <Facts>{text}</Facts>}
      {places.length === 0 ? null : (
        <Part>
          <SmallTitle as="h2">
            {place === null ? directory.states : directory.towns(places.length, placeCount)}
          </SmallTitle>
          <PlaceList places={places} />
        </Part>
      )}
      {providers.length === 0 ? null : (
        <Part>
          <SmallTitle as="h2">{network.list.title}</SmallTitle>
          <Cards>
            {providers.map((provider) => (
              <ProviderEntry key={provider.id} provider={provider} />
            ))}
          </Cards>
          <Pager listing={listing} />
        </Part>
      )}
      {nearby.length === 0 ? null : (
        <Part>
          <SmallTitle as="h2">{directory.nearby}</SmallTitle>
          <Places>
            {nearby.map(({ name, path, miles }) => (
              <li key={path}>
                <PlaceLink href={path}>{name}</PlaceLink> <Count>{distanceText(miles)}</Count>
              </li>
            ))}
          </Places>
        </Part>
      )}
      <Part>
        <p>{directory.ask}</p>
        <Ways>
          <ButtonLink href={paths.find}>{directory.askLink}</ButtonLink>
          <ButtonLink href={paths.map} variant="secondary">
            {chrome.nav.providerMap}
          </ButtonLink>
        </Ways>
      </Part>
    </PageColumn>
  );
}

function Breadcrumbs({ trail }: { trail: readonly DirectoryLink[] }) {
  const crumbs = listCrumbs(trail);
  return (
    <nav aria-label={directory.breadcrumbs}>
      <Crumbs>
        {crumbs.map(({ name, path }, at) => (
          <li key={path}>
            {at === crumbs.length - 1 ? <span aria-current="page">{name}</span> : <a href={path}>{name}</a>}
          </li>
        ))}
      </Crumbs>
    </nav>
  );
}

function ProviderEntry({ provider }: { provider: DirectoryProvider }) {
  const { name, address, phone, phoneHref, href } = provider;
  const tags = [
    ...(provider.acceptsFreeConsultation ? [network.list.freeConsultation] : []),
    ...(provider.acceptsFinancing ? [network.list.financing] : []),
  ];
  return (
    <Entry>
      <h3>
        <ContactLink href={href}>{name}</ContactLink>
      </h3>
      <address>{address}</address>
      {tags.length === 0 ? null : <Count as="p">{tags.join(' · ')}</Count>}
      {phoneHref === null ? null : <ContactLink href={phoneHref}>{phone}</ContactLink>}
    </Entry>
  );
}

function Pager({ listing }: { listing: DirectoryListing }) {
  const { path, page, pageCount } = listing;
  if (pageCount === 1) return null;
  return (
    <Ways as="nav" aria-label={network.list.pages}>
      {page === 1 ? null : (
        <ButtonLink href={listingPath({ path, page: page - 1 })} variant="secondary" rel="prev">
          {network.list.previous}
        </ButtonLink>
      )}
      <Count>{directory.page(page, pageCount)}</Count>
      {page === pageCount ? null : (
        <ButtonLink href={listingPath({ path, page: page + 1 })} variant="secondary" rel="next">
          {network.list.next}
        </ButtonLink>
      )}
    </Ways>
  );
}

const Crumbs = styled.ol`
  display: flex;
  flex-wrap: wrap;
  margin-block-end: 1rem;
  font-size: 0.9375rem;

  & > li {
    display: flex;
    align-items: center;
    min-block-size: 2.75rem;
    overflow-wrap: anywhere;
  }

  & > li:not(:last-child)::after {
    content: '/' / '';
    padding-inline: 0.5rem;
    color: var(--surface-muted);
  }

  & a {
    display: inline-flex;
    align-items: center;
    min-block-size: 2.75rem;
    min-inline-size: 2.75rem;
  }
`;

const Facts = styled.p`
  max-inline-size: ${token.measure};
  margin-block-start: 0.75rem;
  font-size: ${token.textLarge};
`;

const Part = styled.section`
  margin-block-start: 2.5rem;
`;

const Cards = styled.ul`
  display: grid;
  gap: 0 2rem;
  margin-block-start: 0.75rem;

  ${media.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
`;

const Entry = styled.li`
  padding-block: 0.75rem;
  border-block-end: 1px solid var(--surface-line);
  overflow-wrap: anywhere;

  & h3 {
    font-size: inherit;
  }

  & address {
    font-style: normal;
  }
`;

const Ways = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.75rem;
  margin-block-start: 1rem;
`;
