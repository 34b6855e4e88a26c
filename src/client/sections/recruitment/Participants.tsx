import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { studyParticipants } from '#shared/brand/measures.ts';

const perRow = 8;
const gap = 14;

/** One dot a participant; the figure beside it says how many. */
export function Participants() {
  const dots = Array.from({ length: studyParticipants }, (_, index) => index);
  return (
    <Dots viewBox={`0 0 ${perRow * gap} ${Math.ceil(studyParticipants / perRow) * gap}`} aria-hidden="true">
      {dots.map((index) => (
        <circle
          key={index}
          cx={(index % perRow) * gap + gap / 2}
          cy={Math.floor(index / perRow) * gap + gap / 2}
          r="4"
        />
      ))}
    </Dots>
  );
}

const Dots = styled.svg`
  grid-column: 2;
  grid-row: 1 / 3;
  align-self: center;
  inline-size: min(100%, 11rem);
  fill: color-mix(in srgb, ${token.accent} 55%, #ffffff);

  @media (forced-colors: active) {
    fill: CanvasText;
  }
`;
