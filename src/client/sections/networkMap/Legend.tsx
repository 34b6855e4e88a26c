import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { MapPin } from '#client/ui/Icon.tsx';
import { mapCopy, network } from '#shared/brand/map.ts';

interface LegendProps {
  /** The name of the blue dot, where there is one. */
  place: string | null;
  /** On a phone a popup hides it. */
  makesWay: boolean;
}

/** What the marks on the map mean. */
export function Legend({ place, makesWay }: LegendProps) {
  return (
    <Box aria-label={network.legend.title} $makesWay={makesWay}>
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

const Box = styled.ul<{ $makesWay: boolean }>`
  position: absolute;
  inset-block-start: 0.75rem;
  inset-inline-start: 0.75rem;
  display: ${({ $makesWay }) => ($makesWay ? 'none' : 'grid')};
  gap: 0.375rem;
  padding: 0.625rem 0.875rem;
  border-radius: ${token.radius};
  background: rgb(255 255 255 / 0.94);
  font-size: 0.8125rem;
  line-height: 1.3;
  box-shadow: ${token.shadow};
  pointer-events: none;

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
    display: grid;
    font-size: 0.875rem;
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
  box-shadow: 0 0 0 1px #1a66d6;
`;
