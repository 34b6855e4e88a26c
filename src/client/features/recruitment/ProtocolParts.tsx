import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { explainer, type ProtocolPart } from '#shared/brand/recruitment.ts';

const drawings: Record<ProtocolPart, ReactNode> = {
  vacuum: (
    <>
      <rect className="ground" x="22" y="44" width="76" height="36" rx="18" />
      <path d="M98 62h14a10 10 0 0 1 10 10v4" />
      <circle className="ground" cx="122" cy="92" r="16" />
      <path className="light" d="m122 92 7-7m-18 7a11 11 0 0 1 11-11" />
      <path d="M36 62h10m8 0h10m8 0h10" />
    </>
  ),
  injections: (
    <>
      <path className="ground" d="m52 74 40-40 18 18-40 40a6 6 0 0 1-8 0L52 82a6 6 0 0 1 0-8Z" />
      <path d="m101 43 14-14m-9-8 17 17M60 86l-24 24" />
      <path className="light" d="m66 68 8 8m2-18 8 8m2-18 8 8" />
    </>
  ),
  stretching: (
    <>
      <rect className="ground" x="20" y="58" width="104" height="28" rx="8" />
      <path d="M32 58v10m13-10v7m14-7v10m13-10v7m14-7v10m13-10v7m13-7v10" />
      <path className="light" d="M24 40h96m-88-8-8 8 8 8m80-16 8 8-8 8" />
    </>
  ),
  supplements: (
    <>
      <path className="ground" d="M46 50h52v48a10 10 0 0 1-10 10H56a10 10 0 0 1-10-10V50Z" />
      <rect className="ground" x="40" y="32" width="64" height="18" rx="6" />
      <path d="M46 64h52M46 94h52" />
      <path className="light" d="M64 79h16m-8-8v16" />
    </>
  ),
};

/** The four parts of the protocol, drawn. */
export function ProtocolParts() {
  return (
    <Parts>
      {explainer.parts.map(({ key, title }) => (
        <li key={key}>
          <svg viewBox="0 0 144 128" aria-hidden="true">
            {drawings[key]}
          </svg>
          <span>{title}</span>
        </li>
      ))}
    </Parts>
  );
}

const Parts = styled.ul`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 0.75rem;

  ${media.tablet} {
    gap: 1rem;
  }

  & > li {
    display: grid;
    justify-items: center;
    gap: 0.75rem;
    padding: 1.25rem 0.75rem 1.5rem;
    border-radius: ${token.radius};
    background: ${token.tint};
    color: ${token.primary};
    font-weight: 600;
    line-height: 1.3;
    text-align: center;
  }

  & svg {
    inline-size: min(100%, 8.5rem);
    fill: none;
    stroke: ${token.primary};
    stroke-linecap: round;
    stroke-linejoin: round;
    stroke-width: 2;
  }

  & .ground {
    fill: ${token.background};
  }

  & .light {
    stroke: ${token.accent};
    stroke-width: 2.5;
  }

  @media (forced-colors: active) {
    & svg {
      stroke: CanvasText;
    }

    & .ground {
      fill: Canvas;
    }

    & .light {
      stroke: Highlight;
    }
  }
`;
