import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import type { StepKey } from '#shared/brand/landing.ts';
import { LineDrawing } from '#client/sections/kit/LineDrawing.tsx';

/** Two speech bubbles. */
const consultation = (
  <>
    <path
      className="ground"
      d="M24 26h76a12 12 0 0 1 12 12v30a12 12 0 0 1-12 12H56L38 94V80H24a12 12 0 0 1-12-12V38a12 12 0 0 1 12-12Z"
    />
    <path d="M30 44h52M30 60h34" />
    <path
      className="sheet"
      d="M104 58h44a12 12 0 0 1 12 12v24a12 12 0 0 1-12 12h-8v13l-16-13h-20a12 12 0 0 1-12-12V70a12 12 0 0 1 12-12Z"
    />
    <path className="light" d="m112 83 9 9 19-19" />
  </>
);

/** One plan with four parts. */
const protocol = (
  <>
    <rect className="ground" x="44" y="20" width="84" height="100" rx="12" />
    <path className="sheet" d="M70 13h32a5 5 0 0 1 5 5v7a5 5 0 0 1-5 5H70a5 5 0 0 1-5-5v-7a5 5 0 0 1 5-5Z" />
    <path d="M80 49h32M80 67h24M80 85h32M80 103h20" />
    <path className="light" d="m58 48 4 4 7-8m-11 22 4 4 7-8m-11 22 4 4 7-8m-11 22 4 4 7-8" />
  </>
);

/** A ruler with two measurements. */
const results = (
  <>
    <rect className="ground" x="8" y="74" width="156" height="40" rx="10" />
    <path d="M26 74v18m12-18v11m12-11v11m12-11v11m12-11v18m12-18v11m12-11v11m12-11v11m12-11v18m12-18v11m12-11v11" />
    <path d="M26 60C26 34 98 34 98 60" strokeDasharray="1 6" />
    <path className="light" d="M26 60C26 14 134 14 134 60m-7-8 7 9 7-9" />
  </>
);

const drawings: Record<StepKey, ReactNode> = { consultation, protocol, results };

/** The drawing of a step. The text beside it says what it means. */
export function StepDrawing({ step }: { step: StepKey }) {
  return <Drawing viewBox="0 0 172 128">{drawings[step]}</Drawing>;
}

const Drawing = styled(LineDrawing)`
  inline-size: min(100%, 12rem);
  aspect-ratio: 172 / 128;
`;
