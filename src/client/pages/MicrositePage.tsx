import { styled } from 'styled-components';
import { LazyCalculator } from '#client/sections/calculator/LazyCalculator.tsx';
import { CallBar } from '#client/sections/providerCard/CallBar.tsx';
import { ClinicDetails } from '#client/sections/providerCard/ClinicDetails.tsx';
import { ClinicFront } from '#client/sections/providerCard/ClinicFront.tsx';
import { FaqSection } from '#client/sections/FaqSection.tsx';
import { HowItWorks } from '#client/sections/howItWorks/HowItWorks.tsx';
import { LeadForm } from '#client/forms/lead/LeadForm.tsx';
import { PaymentPlans } from '#client/sections/paymentPlans/PaymentPlans.tsx';
import { Trust } from '#client/sections/Trust.tsx';
import { CheckList } from '#client/sections/kit/CheckList.tsx';
import { FormColumns } from '#client/sections/kit/FormColumns.tsx';
import { useAddressWithoutOutcome } from '#client/browser/location.ts';
import { useCopy, usePage } from '#client/api/tenant.tsx';
import { PlainTalk } from '#client/sections/kit/PlainTalk.tsx';
import { StudyMark } from '#client/sections/kit/StudyNote.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Card, Title } from '#client/ui/Section.tsx';
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
      <section aria-labelledby="microsite-title">
        <FirstScreen>
          <ClinicFront provider={provider} titleId="microsite-title" />
          <Protocol />
          <FormSheet provider={provider} />
        </FirstScreen>
      </section>
      <ClinicDetails provider={provider} />
      <HowItWorks firstStep={{ title: title[offer], text }} callLabel={microsite.stepsCall[offer]} />
      {provider.acceptsFinancing ? <PaymentPlans /> : null}
      <Trust />
      <LazyCalculator />
      <FaqSection startAnswer={microsite.startAnswer} />
      <CallBar provider={provider} />
    </>
  );
}

/** What the provider offers for the first visit. */
function getOffer({ acceptsFreeConsultation }: TenantView): 'freeConsultation' | 'qualify' {
  return acceptsFreeConsultation ? 'freeConsultation' : 'qualify';
}

function Protocol() {
  const benefits = useCopy(microsite.benefits);
  return (
    <div>
      <Headline>{microsite.headline}</Headline>
      <Benefits
        items={benefits.map(({ text }) => text)}
        render={(text) => (
          <>
            <span>{text}</span>
            <StudyMark
              claim={benefits.find((benefit) => benefit.text === text)?.claim ?? ''}
              statement={text}
            />
          </>
        )}
        icon={CircleCheck}
        strokeWidth={1.75}
      />
      {/* Below the claims that it limits, and before the form. */}
      <PlainTalk />
    </div>
  );
}

function FormSheet({ provider }: { provider: TenantView }) {
  const offer = getOffer(provider);
  return (
    <Sheet as="section" id={providerFormAnchor} aria-labelledby="provider-form-title">
      <FormBody>
        <LimitedSpots>{microsite.limitedSpots}</LimitedSpots>
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

/** Less space above than other pages have, so that a phone's first screen holds what a visitor came for. */
const FirstScreen = styled(FormColumns)`
  padding-block-start: 1.25rem;

  ${media.tablet} {
    padding-block-start: 2rem;
  }

  ${media.desktop} {
    grid-template-rows: auto 1fr;
  }
`;

const Headline = styled(Title)`
  margin-block-end: 1.25rem;
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

const Sheet = styled(Card)`
  padding: 0;
  overflow: hidden;
  scroll-margin-block-start: calc(var(--header-size) + 1rem);

  ${media.desktop} {
    grid-area: 1 / 2 / span 2;
  }
`;

const LimitedSpots = styled.p`
  margin-block-end: 0.75rem;
  color: var(--surface-muted);
  font-size: 0.875rem;
  line-height: 1.4;
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
