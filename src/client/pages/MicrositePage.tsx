import { styled } from 'styled-components';
import { LazyCalculator } from '#client/sections/calculator/LazyCalculator.tsx';
import { ProviderContacts } from '#client/sections/providerCard/ProviderContacts.tsx';
import { FaqSection } from '#client/sections/FaqSection.tsx';
import { HowItWorks } from '#client/sections/howItWorks/HowItWorks.tsx';
import { LeadForm } from '#client/forms/lead/LeadForm.tsx';
import { PaymentPlans } from '#client/sections/paymentPlans/PaymentPlans.tsx';
import { Trust } from '#client/sections/Trust.tsx';
import { CheckList } from '#client/sections/kit/CheckList.tsx';
import { ContactLink, FormColumns, StickyText } from '#client/sections/kit/FormColumns.tsx';
import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import { useAddressWithoutOutcome } from '#client/browser/location.ts';
import { usePage } from '#client/api/tenant.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Card, DisplayTitle } from '#client/ui/Section.tsx';
import { CircleCheck } from '#client/ui/Icon.tsx';
import { microsite } from '#shared/brand/microsite.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';

/** A provider's own site, under its own name. */
export function MicrositePage() {
  useAddressWithoutOutcome();
  const { provider } = usePage('microsite');
  const offer = getOffer(provider);
  const { title, text } = microsite.firstStep;
  return (
    <>
      <Band aria-labelledby="microsite-title">
        <FormColumns>
          <Intro provider={provider} />
          <FormSheet provider={provider} />
        </FormColumns>
      </Band>
      <HowItWorks firstStep={{ title: title[offer], text }} callLabel={microsite.stepsCall[offer]} />
      {provider.acceptsFinancing ? <PaymentPlans /> : null}
      <Trust />
      <LazyCalculator />
      <FaqSection startAnswer={microsite.startAnswer} />
      <Contact provider={provider} />
    </>
  );
}

/** What the provider offers for the first visit. */
function getOffer({ acceptsFreeConsultation }: TenantView): 'freeConsultation' | 'qualify' {
  return acceptsFreeConsultation ? 'freeConsultation' : 'qualify';
}

function Intro({ provider }: { provider: TenantView }) {
  return (
    <StickyText $belowHeader="4rem">
      <ProviderName>{provider.label}</ProviderName>
      <Headline id="microsite-title">{microsite.headline}</Headline>
      <Benefits items={microsite.benefits.map(({ text }) => text)} icon={CircleCheck} strokeWidth={1.75} />
      {provider.phone === null || provider.phoneHref === null ? null : (
        <Talk>
          {microsite.talk} <ContactLink href={provider.phoneHref}>{provider.phone}</ContactLink>
        </Talk>
      )}
    </StickyText>
  );
}

function FormSheet({ provider }: { provider: TenantView }) {
  const offer = getOffer(provider);
  return (
    <Sheet as="section" id={providerFormAnchor} aria-labelledby="provider-form-title">
      <LimitedSpots>{microsite.limitedSpots}</LimitedSpots>
      <FormBody>
        <FormTitle id="provider-form-title">{microsite.formHeading[offer]}</FormTitle>
        <FormText>
          {microsite.formText.before} <strong>{provider.label}</strong> {microsite.formText.after}
        </FormText>
        <ProviderLeadForm provider={provider} />
      </FormBody>
    </Sheet>
  );
}

export function ProviderLeadForm({ provider }: { provider: TenantView }) {
  const submitLabel = microsite.submit[getOffer(provider)];
  return <LeadForm form="microsite" providerId={provider.id} submitLabel={submitLabel} />;
}

function Contact({ provider }: { provider: TenantView }) {
  return (
    <SplitSection
      copy={{ ...microsite.contact, title: provider.label }}
      titleId="contact-title"
      layout="even"
      stackGap="2rem"
    >
      <ProviderContacts provider={provider} />
    </SplitSection>
  );
}

const Band = styled.section`
  background: ${token.tint};
`;

const ProviderName = styled.p`
  color: var(--surface-heading);
  font-size: ${token.title};
  font-weight: 700;
  letter-spacing: -0.01em;
  line-height: 1.2;
  overflow-wrap: anywhere;
  text-wrap: balance;
`;

const Headline = styled(DisplayTitle)`
  margin-block: 1.25rem 2rem;
`;

const Benefits = styled(CheckList)`
  --check-size: 1.5rem;

  gap: 0.75rem;

  & > li {
    align-items: center;
    font-size: ${token.textLarge};
    line-height: 1.4;
  }

  & > li > svg {
    color: var(--surface-accent);
  }
`;

const Talk = styled.p`
  margin-block-start: 1.5rem;
  padding-block-start: 0.75rem;
  border-block-start: 1px solid var(--surface-line);
  color: var(--surface-muted);
`;

const Sheet = styled(Card)`
  padding: 0;
  overflow: hidden;
  scroll-margin-block-start: calc(var(--header-size) + 1rem);
`;

const LimitedSpots = styled.p`
  padding: 0.75rem 1.5rem;
  background: ${token.primary};
  color: ${token.background};
  font-weight: 600;
  line-height: 1.4;
  text-align: center;
`;

const FormBody = styled.div`
  padding: 1.5rem;

  ${media.tablet} {
    padding: 2.5rem;
  }
`;

const FormTitle = styled.h2`
  font-size: ${token.title};
  letter-spacing: -0.02em;
`;

const FormText = styled.p`
  margin-block: 0.75rem 1.75rem;
`;
