import { styled } from 'styled-components';
import { media } from '#client/theme/tokens.ts';
import { Card } from '#client/ui/Card.tsx';
import { SmallTitle } from '#client/ui/SmallTitle.tsx';
import { success } from '#shared/brand/success.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import { ProviderCard } from './ProviderCard.tsx';

/** The provider of a lead, or a sentence if there is none. */
export function ProviderNearYou({ provider }: { provider: TenantView | null }) {
  if (provider === null) return <Sentence>{success.notAvailable}</Sentence>;
  return (
    <section aria-labelledby="provider-title">
      <CardTitle id="provider-title">{success.cardTitle}</CardTitle>
      <ProviderCard provider={provider} />
    </section>
  );
}

/** Holds the card's place while it is fetched. */
export function LoadingProvider() {
  return (
    <Placeholder>
      <output>{success.loading}</output>
    </Placeholder>
  );
}

const CardTitle = styled(SmallTitle).attrs({ as: 'h2' })`
  margin-block-end: 1rem;
`;

const Sentence = styled(Card)`
  color: var(--surface-muted);
`;

const Placeholder = styled(Card)`
  display: grid;
  place-items: center;
  min-block-size: 20rem;
  color: var(--surface-muted);

  ${media.tablet} {
    min-block-size: 22rem;
  }
`;
