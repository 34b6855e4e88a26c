import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { Card } from '#client/ui/Card.tsx';
import { Portrait } from '#client/ui/Picture.tsx';
import { SmallTitle } from '#client/ui/SmallTitle.tsx';
import type { ProviderView } from '#shared/providers/tenant.ts';
import { ProviderContacts } from './ProviderContacts.tsx';

interface ProviderCardProps {
  provider: ProviderView;
  headingLevel?: 2 | 3;
}

/** A provider's name, picture and contacts on a card. */
export function ProviderCard({ provider, headingLevel = 3 }: ProviderCardProps) {
  return (
    <Sheet>
      <Who>
        <Portrait src={provider.imageUrl} initial={provider.initial} size="large" />
        <div>
          <Name as={`h${headingLevel}`}>{provider.name}</Name>
          {provider.practiceName === null ? null : <PracticeName>{provider.practiceName}</PracticeName>}
        </div>
      </Who>
      <ProviderContacts provider={provider} />
    </Sheet>
  );
}

const Sheet = styled(Card)`
  display: grid;
  gap: 1.25rem;

  ${media.tablet} {
    gap: 1.5rem;
  }
`;

const Who = styled.div`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 1rem;
  align-items: center;
  padding-block-end: 1.25rem;
  border-block-end: 1px solid ${token.line};

  ${media.tablet} {
    gap: 1.5rem;
    padding-block-end: 1.5rem;
  }
`;

const Name = styled(SmallTitle)`
  overflow-wrap: anywhere;
`;

const PracticeName = styled.p`
  margin-block-start: 0.25rem;
  color: var(--surface-muted);
  line-height: 1.4;
  overflow-wrap: anywhere;
`;
