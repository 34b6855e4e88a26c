import { type ComponentType, lazy, Suspense } from 'react';
import { styled } from 'styled-components';
import { useHiddenClaims } from '#client/api/tenant.tsx';
import { hasCalculator } from '#client/sections/kit/hasCalculator.ts';

async function load(): Promise<{ default: ComponentType }> {
  return { default: (await import('./Calculator.tsx')).Calculator };
}

/** Loaded before rendering on the server, which cannot wait. */
const Calculator = import.meta.env.SSR ? (await load()).default : lazy(load);

/** Rendered by the server. The browser loads its code and the motion library once the page is live. */
export function LazyCalculator() {
  if (!hasCalculator(useHiddenClaims())) return null;
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
