import { styled } from 'styled-components';
import { usePage } from '#client/api/tenant.tsx';
import { token } from '#client/theme/tokens.ts';
import { SmallTitle } from '#client/ui/text.tsx';
import { network } from '#shared/brand/map.ts';

/**
 * The list's first providers for visitors and crawlers without scripts. Only the server renders them: React doesn't
 * hydrate the children of a `noscript` element, so the page doesn't carry their data.
 */
export function FirstProviders() {
  const { listed } = usePage('map');
  return (
    <noscript>
      {listed === null || listed.entries.length === 0 ? null : (
        <List>
          <SmallTitle as="h2">{network.list.title}</SmallTitle>
          <Range>{network.list.first(listed.entries.length, listed.total)}</Range>
          <ol>
            {listed.entries.map(({ name, place, href }) => (
              <Item key={href}>
                <a href={href}>{name}</a>
                <Place>{place}</Place>
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
