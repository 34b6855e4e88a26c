import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';

/** The hero's dial again, half risen over the band's edge; ornament for wide screens. */
export function Arcs() {
  return (
    <Drawing viewBox="0 0 600 300" aria-hidden="true">
      <circle cx="300" cy="300" r="292" pathLength="100" className="minor" />
      <circle cx="300" cy="300" r="289" pathLength="20" className="major" />
      <circle cx="300" cy="300" r="256" className="track" />
      <circle cx="300" cy="300" r="222" className="track" />
    </Drawing>
  );
}

const Drawing = styled.svg`
  display: none;

  ${media.desktop} {
    position: absolute;
    inset-block-end: calc(-1 * ${token.sectionSpace});
    inset-inline-start: -7rem;
    display: block;
    inline-size: 37.5rem;
    fill: none;
    opacity: 0.24;
    pointer-events: none;
    stroke: #ffffff;
  }

  & .minor {
    stroke-dasharray: 0.1 0.9;
    stroke-dashoffset: 0.05;
    stroke-width: 10;
  }

  & .major {
    stroke-dasharray: 0.03 0.97;
    stroke-dashoffset: 0.015;
    stroke-width: 16;
  }

  & .track {
    opacity: 0.5;
    stroke-width: 12;
  }
`;
