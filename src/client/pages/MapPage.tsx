import { styled } from 'styled-components';
import { NetworkMap } from '#client/sections/networkMap/NetworkMap.tsx';
import { useSite, usePage } from '#client/api/tenant.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { ArrowUpRight } from '#client/ui/Icon.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import { PageColumn, PageTitle } from '#client/sections/kit/FormColumns.tsx';
import { network } from '#shared/brand/map.ts';
import { paths, providerFormAnchor } from '#shared/pages/paths.ts';

/** The provider network: who there is, where, and how far away. */
export function MapPage() {
  const { providerSignupUrl } = useSite();
  return (
    <PageColumn>
      <Head>
        <div>
          <PageTitle>{network.title}</PageTitle>
          <Sentence>{network.lead}</Sentence>
        </div>
        <Links>
          <ButtonLink href={paths.home}>{network.findProvider}</ButtonLink>
          <ButtonLink href={providerSignupUrl} variant="secondary">
            {network.becomeProvider}
            {providerSignupUrl.startsWith('/') ? null : <ArrowUpRight />}
          </ButtonLink>
        </Links>
      </Head>
      <WithoutScripts>
        {network.withoutScripts} <a href={`${paths.home}#${providerFormAnchor}`}>{network.findProvider}</a>
      </WithoutScripts>
      <FirstProviders />
      <NetworkMap />
    </PageColumn>
  );
}

const Head = styled.div`
  display: grid;
  gap: 1.5rem;
  margin-block-end: 2rem;

  ${media.desktop} {
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: end;
  }
`;

const Sentence = styled.p`
  max-inline-size: ${token.measure};
  margin-block-start: 0.75rem;
  color: var(--surface-muted);
  font-size: ${token.textLarge};

  /* It speaks of a map and of fields that are not there. */
  @media (scripting: none) {
    display: none;
  }
`;

const Links = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem;
`;

const WithoutScripts = styled.p`
  display: none;
  max-inline-size: ${token.measure};
  padding: 1.5rem;
  border-radius: ${token.radius};
  background: ${token.tint};

  @media (scripting: none) {
    display: block;
  }
`;

/** Only the server renders these, for clients without scripts: React doesn't hydrate a `noscript` element. */
export function FirstProviders() {
  const { listed } = usePage('map');
  return (
    <noscript>
      {listed === null || listed.entries.length === 0 ? null : (
        <List>
          <SmallTitle as="h2">{network.list.title}</SmallTitle>
          <Range>{network.list.first(listed.entries.length, listed.total)}</Range>
          <ol>
            {listed.entries.map(({ name, place, href, phone, phoneHref }) => (
              <Item key={href}>
                <a href={href}>{name}</a>
                <Place>{place}</Place>
                {phoneHref === null ? null : <a href={phoneHref}>{phone}</a>}
              </Item>
            ))}
          </ol>
        </List>
      )}
    </noscript>
  );
}

const List = styled.section`
  margin-block-start: 2rem;
`;

const Range = styled.p`
  color: ${token.muted};
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
`;

const Item = styled.li`
  padding-block: 0.75rem;
  border-block-end: 1px solid ${token.line};
  overflow-wrap: anywhere;

  & > a {
    display: inline-block;
    padding-block: 0.375rem;
    color: ${token.secondary};
    font-weight: 600;
  }
`;

const Place = styled.address`
  color: ${token.muted};
  font-size: 0.9375rem;
  font-style: normal;
`;
