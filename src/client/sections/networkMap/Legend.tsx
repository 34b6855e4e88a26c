import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { MapPin } from '#client/ui/Icon.tsx';
import { mapCopy, network } from '#shared/brand/map.ts';

interface LegendProps {
  /** The name of the blue dot, where there is one. */
  place: string | null;
}

/** What the marks on the map mean: below the map on a phone, on it where there is room. */
export function Legend({ place }: LegendProps) {
  return (
    <Box aria-label={network.legend.title}>
      <li>
        <Drop />
        {network.legend.provider}
      </li>
      <li>
        <Circle aria-hidden="true">5</Circle>
        {mapCopy.cluster}
      </li>
      {place === null ? null : (
        <li>
          <BlueDot aria-hidden="true" />
          {place}
        </li>
      )}
    </Box>
  );
}

const Box = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: 0.375rem 1rem;
  padding-block: 0.75rem 0.25rem;
  font-size: 0.875rem;
  line-height: 1.3;

  /* Beside a map that isn't drawn there is nothing to explain. Its space stays. */
  [data-map]:not([data-map='drawn'], [data-map='still']) + & {
    visibility: hidden;
  }

  & li {
    display: grid;
    grid-template-columns: 1.375rem auto;
    gap: 0.5rem;
    align-items: center;
    justify-items: start;
  }

  & li > :first-child {
    justify-self: center;
  }

  ${media.tablet} {
    position: absolute;
    inset: 0.75rem auto auto 0.75rem;
    display: grid;
    padding: 0.625rem 0.875rem;
    border-radius: ${token.radius};
    border: 1px solid ${token.line};
    background: rgb(255 255 255 / 0.94);
    pointer-events: none;
  }
`;

const Drop = styled(MapPin)`
  inline-size: 1.25rem;
  block-size: 1.25rem;
  color: #ffffff;
  fill: ${token.secondary};
`;

const Circle = styled.span`
  display: grid;
  place-items: center;
  inline-size: 1.25rem;
  block-size: 1.25rem;
  border-radius: ${token.pill};
  background: ${token.secondary};
  color: #ffffff;
  font-size: 0.6875rem;
  font-weight: 700;
`;

const BlueDot = styled.span`
  inline-size: 0.875rem;
  block-size: 0.875rem;
  border: 2px solid #ffffff;
  border-radius: ${token.pill};
  background: #1a66d6;
  outline: 1px solid #1a66d6;
`;
