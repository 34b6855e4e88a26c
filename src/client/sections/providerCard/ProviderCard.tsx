import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Card, SmallTitle } from '#client/ui/Section.tsx';
import { ContactLink } from '#client/sections/kit/FormColumns.tsx';
import { Phone } from '#client/ui/Icon.tsx';
import { Portrait } from '#client/ui/Picture.tsx';
import { success } from '#shared/brand/success.ts';
import { lastNamedProvider } from '#client/forms/lead/namedProvider.ts';
import { openingTexts } from '#shared/formats/openingTexts.ts';
import type { ProviderView, TenantView } from '#shared/providers/tenant.ts';
import { OpenNow } from './OpenNow.tsx';
import { ProviderContacts } from './ProviderContacts.tsx';

interface ProviderCardProps {
  provider: ProviderView;
  /** How far away it is. Null if that is unknown. */
  distance?: string | null;
  headingLevel?: 2 | 3;
  /** Whether the provider is about to call this visitor. */
  expectsCall?: boolean;
  /** False on the provider's own pages, which know it by its label. */
  hasName?: boolean;
}

/** A provider on a card: name, picture, a button to call it, contacts. */
export function ProviderCard({
  provider,
  distance,
  headingLevel = 3,
  expectsCall = false,
  hasName = true,
}: ProviderCardProps) {
  return (
    <Sheet>
      <Who>
        <Portrait src={provider.imageUrl} initial={provider.initial} size="large" />
        <div>
          {/* As the form named it. */}
          <Name as={`h${headingLevel}`}>{provider.label}</Name>
          {provider.practiceName === null || !hasName ? null : <Detail>{provider.name}</Detail>}
          {distance === null ? null : <Detail>{distance}</Detail>}
        </div>
      </Who>
      <Call provider={provider} expectsCall={expectsCall} />
      {/* The sentence above has the number. */}
      <ProviderContacts provider={provider} hasPhone={!expectsCall} />
    </Sheet>
  );
}

interface CallProps {
  provider: ProviderView;
  expectsCall: boolean;
}

function Call({ provider, expectsCall }: CallProps) {
  const { id, label, phone, phoneHref } = provider;
  if (phone === null || phoneHref === null) return null;
  return (
    <CallBox>
      <CallButton href={phoneHref} size="large">
        <span>
          <Phone /> {success.call} {label}
        </span>
      </CallButton>
      <CallHours provider={provider} />
      {expectsCall ? (
        <p>
          {success.callFrom.before} <PhoneNumber href={phoneHref}>{phone}</PhoneNumber>:{' '}
          <ContactLink href={`/contacts/${id}.vcf`} download="contact.vcf">
            {success.callFrom.save}
          </ContactLink>
        </p>
      ) : null}
    </CallBox>
  );
}

/** Whether a call would be answered: by the hours in the page, else as the form knew it. */
function CallHours({ provider }: { provider: ProviderView | TenantView }) {
  if ('hours' in provider) return <OpenNow provider={provider} write={openingTexts.until} />;
  const named = lastNamedProvider();
  const opening = named?.id === provider.id ? named.opening : null;
  return opening === null ? null : <p>{openingTexts.until(opening)}</p>;
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

  ${media.tablet} {
    gap: 1.5rem;
  }
`;

const Name = styled(SmallTitle)`
  overflow-wrap: anywhere;
`;

const Detail = styled.p`
  margin-block-start: 0.25rem;
  color: var(--surface-muted);
  line-height: 1.4;
  overflow-wrap: anywhere;
`;

const CallBox = styled.div`
  padding-block-end: 1rem;
  border-block-end: 1px solid ${token.line};
  line-height: 1.5;
`;

const CallButton = styled(ButtonLink)`
  inline-size: 100%;
  margin-block-end: 0.5rem;
  padding-inline: 1rem;
  overflow-wrap: anywhere;

  /* Beside the first word, also if the name takes two lines. */
  & svg {
    display: inline-block;
    inline-size: 1.125em;
    block-size: 1.125em;
    vertical-align: -0.175em;
  }
`;

const PhoneNumber = styled.a`
  color: var(--surface-link);
  font-variant-numeric: tabular-nums;
  font-weight: 600;
  white-space: nowrap;
`;
