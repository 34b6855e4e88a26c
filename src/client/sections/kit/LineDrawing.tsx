import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';

/** A line drawing. Its parts have classes: `ground` and `sheet` are filled, `light` has the accent color. */
export const LineDrawing = styled.svg.attrs({ 'aria-hidden': true })`
  fill: none;
  stroke: ${token.primary};
  stroke-linecap: round;
  stroke-linejoin: round;
  stroke-width: 2;

  & .ground,
  & .sheet {
    fill: ${token.background};
  }

  & .light {
    stroke: ${token.accent};
    stroke-width: 2.5;
  }

  @media (forced-colors: active) {
    stroke: CanvasText;

    & .ground,
    & .sheet {
      fill: Canvas;
    }

    & .light {
      stroke: Highlight;
    }
  }
`;
