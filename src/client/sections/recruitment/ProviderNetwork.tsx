import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Eyebrow, Lead, Section, Title } from '#client/ui/Section.tsx';
import { providerNetwork } from '#shared/brand/recruitment.ts';

/** Heading and words around the map, which the page brings. */
export function ProviderNetwork({ children }: { children: ReactNode }) {
  return (
    <Section id={providerNetwork.id} labelledBy="provider-network-title">
      <Eyebrow>{providerNetwork.eyebrow}</Eyebrow>
      <Title id="provider-network-title">{providerNetwork.title}</Title>
      <Lead>{providerNetwork.lead}</Lead>
      <Place>{children}</Place>
    </Section>
  );
}

const Place = styled.div`
  margin-block-start: 2.5rem;
`;
