import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';
import { providerNetwork } from '#shared/brand/recruitment.ts';

/** Heading and text around the map, which the page passes in. */
export function ProviderNetwork({ children }: { children: ReactNode }) {
  return (
    <TitledSection copy={providerNetwork} titleId="provider-network-title">
      <Place>{children}</Place>
    </TitledSection>
  );
}

const Place = styled.div`
  margin-block-start: 2.5rem;
`;
