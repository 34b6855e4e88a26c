import { styled } from 'styled-components';
import type { CountedPlace } from '#shared/providers/providerList.ts';

/** Places with the number of their providers, each with a link to its page. */
export function PlaceList({ places }: { places: readonly CountedPlace[] }) {
  return (
    <Places>
      {places.map(({ name, path, count }) => (
        <li key={path}>
          <PlaceLink href={path}>{name}</PlaceLink> <Count>{count.toLocaleString('en-US')}</Count>
        </li>
      ))}
    </Places>
  );
}

export const Places = styled.ul`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr));
  column-gap: 2rem;
  margin-block-start: 0.75rem;

  & > li {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.75rem;
    border-block-end: 1px solid var(--surface-line);
  }
`;

export const PlaceLink = styled.a`
  display: inline-flex;
  flex: 1;
  align-items: center;
  min-block-size: 2.75rem;
  overflow-wrap: anywhere;
`;

export const Count = styled.span`
  color: var(--surface-muted);
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
`;
