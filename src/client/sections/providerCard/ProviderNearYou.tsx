import { useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { fetchMatchedProvider } from '#client/api/matchedProvider.ts';
import { useSentRequest } from '#client/forms/lead/lastSubmission.ts';
import { media } from '#client/theme/tokens.ts';
import { Card } from '#client/ui/Card.tsx';
import { SmallTitle } from '#client/ui/text.tsx';
import { matchPreviewTexts } from '#shared/brand/stepForms.ts';
import { success } from '#shared/brand/success.ts';
import type { ProviderView } from '#shared/providers/tenant.ts';
import { ProviderCard } from './ProviderCard.tsx';

interface ProviderNearYouProps {
  provider: ProviderView | null | 'loading';
  /** Whether it got a lead and is about to call. */
  expectsCall: boolean;
}

/** The provider of a lead, or a sentence if there is none. */
export function ProviderNearYou({ provider, expectsCall }: ProviderNearYouProps) {
  const sent = useSentRequest();
  if (provider === 'loading') return <LoadingProvider />;
  if (provider === null) return <Sentence>{success.notAvailable}</Sentence>;
  const miles = sent !== null && sent.providerId === provider.id ? sent.distanceMiles : null;
  return (
    <section aria-labelledby="provider-title">
      <CardTitle id="provider-title">{success.cardTitle}</CardTitle>
      <ProviderCard
        provider={provider}
        expectsCall={expectsCall}
        distance={miles === null ? null : matchPreviewTexts.distance(miles)}
      />
    </section>
  );
}

/** Fetches a provider on a page reached without a full load. Null if there is none, or while `id` is null. */
export function useFetchedProvider(id: number | null): ProviderView | null | 'loading' {
  const [fetched, setFetched] = useState<{ id: number; provider: ProviderView | null } | null>(null);
  useEffect(() => {
    if (id === null) return undefined;
    let isCurrent = true;
    const load = async (): Promise<void> => {
      const provider = await fetchMatchedProvider(id);
      if (isCurrent) setFetched({ id, provider });
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [id]);
  if (id === null) return null;
  return fetched?.id === id ? fetched.provider : 'loading';
}

/** Reserves the card's place during the request. */
function LoadingProvider() {
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
