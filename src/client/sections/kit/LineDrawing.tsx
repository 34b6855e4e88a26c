import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';

/** A line drawing. Its parts have classes: `ground` and `sheet` are filled, `light` is quieter. */
export const LineDrawing = styled.svg.attrs({ 'aria-hidden': true })`
  fill: none;
  stroke: ${token.ink};
  stroke-linecap: round;
  stroke-linejoin: round;
  stroke-width: 2;

  & .ground,
  & .sheet {
    fill: ${token.background};
  }

  & .light {
    stroke: ${token.inputLine};
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
