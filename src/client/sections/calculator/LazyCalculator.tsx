import { type ComponentType, lazy, Suspense } from 'react';
import { styled } from 'styled-components';

async function load(): Promise<{ default: ComponentType }> {
  return { default: (await import('./Calculator.tsx')).Calculator };
}

/** The server has it at hand, as what it draws can't wait. */
const Calculator = import.meta.env.SSR ? (await load()).default : lazy(load);

/** Drawn by the server with the page; in a browser its code, and with it the motion library's, comes once the page is live. */
export function LazyCalculator() {
  return (
    <Suspense fallback={<Panel />}>
      <Calculator />
    </Suspense>
  );
}

/** Content below it moves little when it loads after a client navigation. */
const Panel = styled.div`
  min-block-size: 56rem;
`;
