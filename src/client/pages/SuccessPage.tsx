import { useEffect, useState, useSyncExternalStore } from 'react';
import { styled } from 'styled-components';
import { NumberedList } from '#client/sections/kit/NumberedList.tsx';
import { removeDraft } from '#client/forms/lead/formDraft.ts';
import { useSentRequest } from '#client/forms/lead/lastSubmission.ts';
import { usePage, useSite } from '#client/api/tenant.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Card, Container, SmallTitle } from '#client/ui/Section.tsx';
import { CircleCheck, Info, Search } from '#client/ui/Icon.tsx';
import { matchPreviewTexts } from '#shared/brand/matchPreview.ts';
import { success } from '#shared/brand/success.ts';
import type { ProviderView } from '#shared/providers/tenant.ts';
import { CalledMyself, Questions } from '#client/sections/afterLead/AfterCall.tsx';
import { ClinicNote } from '#client/sections/afterLead/ClinicNote.tsx';
import { StarterKit } from '#client/sections/afterLead/StarterKit.tsx';
import { NearestProvider } from '#client/sections/afterLead/NearestProvider.tsx';
import { useFetchedProvider } from '#client/sections/afterLead/useFetchedProvider.ts';
import { DirectionsLink } from '#client/sections/providerCard/DirectionsLink.tsx';
import { WithdrawRequest } from '#client/sections/afterLead/WithdrawRequest.tsx';
import { ProviderCard } from '#client/sections/providerCard/ProviderCard.tsx';
import { ProviderContacts } from '#client/sections/providerCard/ProviderContacts.tsx';

/** The page after a lead. It sends nothing: a reload or a bookmark shows the same page and creates no second lead. */
export function SuccessPage() {
  // A plain form post stored the lead without the form's script.
  useEffect(() => removeDraft(), []);
  const { noProvider } = usePage('success');
  const isServersPage = useIsServersPage();
  const outcome = useOutcome(isServersPage);
  const provider = useProvider(isServersPage);
  return (
    <>
      <Banner $tone={outcome}>
        <BannerLine>
          <BannerIcon outcome={outcome} />
          {outcome === 'neutral' ? `${success.ifSent} ${success.banner.sent}` : success.banner[outcome]}
          {outcome === 'named' ? <IfNotSent>{success.ifNotSent}</IfNotSent> : null}
        </BannerLine>
      </Banner>
      <Columns>
        <div>
          <Heading>{outcome === 'withdrawn' ? success.headingWithdrawn : success.heading}</Heading>
          {outcome === 'searching' || outcome === 'withdrawn' ? null : (
            <CallSentence provider={provider} outcome={outcome} />
          )}
        </div>
        <ProviderPlace>
          {noProvider ? (
            <NoProvider isSearching={outcome === 'searching'} />
          ) : (
            <ProviderNearYou provider={provider} outcome={outcome} />
          )}
        </ProviderPlace>
        <div>
          {outcome === 'sent' || outcome === 'named' ? (
            <>
              <NextSteps />
              <Questions />
            </>
          ) : null}
          <StarterKit text={noProvider ? success.kit.textWithoutProvider : success.kit.text} />
        </div>
      </Columns>
    </>
  );
}

/**
 * `named`: the URL names a provider, and the tab knows of no lead: a plain form's, an old link, or somebody else's.
 * `neutral`: as `sent`, in a neutral color and said only of who sent a request, because the URL names no provider that
 * exists and the tab sent no lead.
 */
type Outcome = keyof typeof success.banner | 'neutral';

function useOutcome(isServersPage: boolean): Outcome {
  const { noProvider, provider, providerId } = usePage('success');
  const sent = useSentRequest();
  const sentTo = sent?.providerId ?? null;
  if (sent?.isWithdrawn === true) return 'withdrawn';
  if (noProvider) return 'searching';
  if (providerId === null) return provider !== null && provider.id === sentTo ? 'sent' : 'neutral';
  if (provider === null && isServersPage) return 'neutral';
  return providerId === sentTo ? 'sent' : 'named';
}

function BannerIcon({ outcome }: { outcome: Outcome }) {
  if (outcome === 'searching') return <Search strokeWidth={1.75} />;
  return outcome === 'sent' ? <CircleCheck strokeWidth={1.75} /> : <Info strokeWidth={1.75} />;
}

/** The provider of the tenant, from the server on a full load, or fetched. */
function useProvider(isServersPage: boolean): ProviderView | null | 'loading' {
  const { noProvider, provider, providerId } = usePage('success');
  const isKnown = noProvider || provider !== null || isServersPage;
  const fetched = useFetchedProvider(isKnown ? null : providerId);
  return isKnown ? provider : fetched;
}

interface CallSentenceProps {
  provider: ProviderView | null | 'loading';
  outcome: Outcome;
}

/** While the provider loads, its phone number is expected, so that the sentence does not grow below the visitor. */
function CallSentence({ provider, outcome }: CallSentenceProps) {
  const lead = outcome === 'neutral' ? `${success.ifSent} ${success.lead}` : success.lead;
  if (provider === 'loading') return <Sentence>{`${lead} ${success.callNow}`}</Sentence>;
  const href = provider?.phoneHref ?? null;
  if (href === null) return <Sentence>{lead}</Sentence>;
  return (
    <Sentence>
      {lead} <ContactLink href={href}>{success.callNow}</ContactLink>
    </Sentence>
  );
}

function NextSteps() {
  return (
    <Next aria-labelledby="next-title">
      <SmallTitle as="h2" id="next-title">
        {success.nextTitle}
      </SmallTitle>
      <Steps items={success.next} />
    </Next>
  );
}

const never = () => () => {};

/** Whether the server rendered this component: then a missing provider is the server's result and needs no request. */
function useIsServersPage(): boolean {
  const isHydrating = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  const [wasHydrating] = useState(isHydrating);
  return wasHydrating;
}

/** `isSearching`: unless the request was withdrawn. */
function NoProvider({ isSearching }: { isSearching: boolean }) {
  const { contacts } = useSite();
  const nearest = useSentRequest()?.nearest ?? null;
  const provider = useFetchedProvider(nearest?.id ?? null);
  const { noProvider } = success;
  return (
    <Card as="section" aria-labelledby="no-provider-title">
      <SmallTitle as="h2" id="no-provider-title">
        {noProvider.title}
      </SmallTitle>
      {nearest === null ? null : (
        <NearestProvider {...nearest}>
          {provider === null || provider === 'loading' ? null : <ProviderContacts provider={provider} />}
        </NearestProvider>
      )}
      {isSearching ? (
        <>
          <SmallTitle as="h3">{noProvider.nextTitle}</SmallTitle>
          <Steps items={noProvider.next} />
        </>
      ) : null}
      <Sentence>{noProvider.advice}</Sentence>
      <ClinicNote />
      <Sentence>
        {noProvider.contactLabel}{' '}
        <ContactLink href={`mailto:${contacts.email}`}>{contacts.email}</ContactLink>
      </Sentence>
      <WithdrawRequest />
      {isSearching ? <Closing>{noProvider.closing}</Closing> : null}
    </Card>
  );
}

const bannerColors: Record<Outcome, readonly [background: string, text: string]> = {
  sent: [token.success, token.background],
  searching: [token.primary, token.background],
  named: [token.tint, token.foreground],
  withdrawn: [token.tint, token.foreground],
  neutral: [token.tint, token.foreground],
};

const Banner = styled.div<{ $tone: Outcome }>`
  background: ${({ $tone }) => bannerColors[$tone][0]};
  color: ${({ $tone }) => bannerColors[$tone][1]};
`;

const BannerLine = styled(Container).attrs({ as: 'p' })`
  display: grid;
  grid-template-columns: 1.5rem minmax(0, 1fr);
  gap: 0 0.75rem;
  padding-block: 1rem;
  font-weight: 600;
  line-height: 1.5;

  & > svg {
    inline-size: 1.5rem;
    block-size: 1.5em;
  }
`;

const IfNotSent = styled.span`
  grid-column: 2;
  font-size: 0.875rem;
  font-weight: 400;
`;

const Columns = styled(Container)`
  display: grid;
  gap: 2rem;
  padding-block: 2rem ${token.sectionSpace};

  ${media.tablet} {
    gap: 3rem;
    padding-block-start: 3rem;
  }

  ${media.desktop} {
    grid-template-columns: minmax(0, 1fr) minmax(0, 30rem);
    grid-template-rows: auto 1fr;
    gap: 3rem 5rem;
    align-items: start;
    padding-block-start: 5rem;
  }
`;

const ProviderPlace = styled.div`
  ${media.desktop} {
    grid-column: 2;
    grid-row: 1 / 3;
  }
`;

/** Small on a phone, so that the button for the call is in view. */
const Heading = styled.h1`
  font-size: clamp(1.75rem, 1.25rem + 3.4vw, 3.25rem);
  letter-spacing: -0.03em;
  line-height: 1.08;

  ${media.desktop} {
    max-inline-size: 8.3em;
  }
`;

const Sentence = styled.p`
  max-inline-size: 27em;
  margin-block-start: 1.25rem;
  font-size: ${token.textLarge};
`;

const ContactLink = styled.a`
  color: var(--surface-link);
  font-weight: 600;
  overflow-wrap: anywhere;
`;

const Closing = styled.p`
  margin-block-start: 1.5rem;
  padding-block-start: 1.25rem;
  border-block-start: 1px solid ${token.line};
  font-weight: 600;
  line-height: 1.5;
`;

const Next = styled.section`
  margin-block-end: 2.5rem;
`;

const Steps = styled(NumberedList)`
  margin-block-start: 0.75rem;
`;

interface ProviderNearYouProps {
  provider: ProviderView | null | 'loading';
  outcome: Outcome;
}

/** The provider of a lead, or a sentence if there is none. */
function ProviderNearYou({ provider, outcome }: ProviderNearYouProps) {
  const sent = useSentRequest();
  if (provider === 'loading')
    return (
      <Placeholder>
        <output>{success.loading}</output>
      </Placeholder>
    );
  if (provider === null) return <NoProviderCard>{success.notAvailable}</NoProviderCard>;
  const miles = sent !== null && sent.providerId === provider.id ? sent.distanceMiles : null;
  return (
    <section aria-labelledby="provider-title">
      <CardTitle id="provider-title">{success.cardTitle}</CardTitle>
      <ProviderCard
        provider={provider}
        expectsCall={outcome === 'sent' || outcome === 'named'}
        distance={miles === null ? null : matchPreviewTexts.distance(miles)}
      />
      {outcome === 'neutral' ? null : (
        <FollowUp>
          <DirectionsLink provider={provider} />
          <CalledMyself />
          <WithdrawRequest />
        </FollowUp>
      )}
    </section>
  );
}

const FollowUp = styled.div`
  margin-block-start: 1rem;
`;

const CardTitle = styled(SmallTitle).attrs({ as: 'h2' })`
  margin-block-end: 1rem;
`;

const NoProviderCard = styled(Card)`
  color: var(--surface-muted);
`;

/** Reserves the card's place during the request. */
const Placeholder = styled(Card)`
  display: grid;
  place-items: center;
  min-block-size: 20rem;
  color: var(--surface-muted);

  ${media.tablet} {
    min-block-size: 22rem;
  }
`;
