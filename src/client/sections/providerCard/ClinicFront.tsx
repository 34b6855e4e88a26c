import { styled } from 'styled-components';
import { DirectionsLink } from './DirectionsLink.tsx';
import { OfferTags } from '#client/sections/kit/OfferTags.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Phone } from '#client/ui/Icon.tsx';
import { Picture } from '#client/ui/Picture.tsx';
import { location } from '#shared/brand/map.ts';
import { microsite } from '#shared/brand/microsite.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import { OpenNow } from './OpenNow.tsx';

/** The first screen of a provider's home: how it looks or where it is, its name, and how to reach it. */
export function ClinicFront({ provider, titleId }: { provider: TenantView; titleId: string }) {
  return (
    <div>
      <Frame src={provider.imageUrl} alt="" fallback={<Plate src={provider.plate} />} />
      <Name id={titleId}>{provider.label}</Name>
      <Facts>
        <Place provider={provider} />
        <OpenNow provider={provider} />
      </Facts>
      {provider.phone === null || provider.phoneHref === null ? null : (
        <PhoneLink href={provider.phoneHref} variant="secondary">
          <Phone />
          {provider.phone}
        </PhoneLink>
      )}
      {provider.clinician === null ? null : <Clinician>{provider.clinician}</Clinician>}
      <OfferTags provider={provider} />
    </div>
  );
}

/** The map cut around a provider; nothing without coordinates. `loading`: for one below the first screen. */
export function Plate({ src, loading }: { src: string | null; loading?: 'lazy' | undefined }) {
  return <Frame src={src} alt={location.mapLabel} loading={loading} />;
}

function Place({ provider }: { provider: TenantView }) {
  const { address, street, city, state, zipCode } = provider;
  return (
    <Address>
      <div>
        {address === null ? null : <Line>{street ?? address}</Line>}
        <Town>
          {city === null ? null : `${city}, ${state} `}
          {address === null && city === null ? `${microsite.zip} ` : null}
          {zipCode}
        </Town>
      </div>
      <DirectionsLink provider={provider} />
    </Address>
  );
}

const Frame = styled(Picture)`
  inline-size: 100%;
  aspect-ratio: 16 / 10;
  border-radius: ${token.radius};
  background: ${token.tint};
  object-fit: cover;

  ${media.desktop} {
    inline-size: min(100%, 32rem);
  }
`;

/** Cuts what would push the rest off a phone's first screen. The form has the whole name. */
const clamped = (lines: number) => `
  display: -webkit-box;
  overflow: hidden;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: ${lines};
  overflow-wrap: anywhere;
`;

const Name = styled.h1`
  ${clamped(3)}
  margin-block: 1.25rem 0.5rem;
  /* The cut is below the letters' tails. */
  padding-block-end: 0.15em;
  font-size: clamp(2.125rem, 1.8rem + 1.4vw, 2.75rem);
  letter-spacing: -0.024em;
  line-height: 1.12;

  ${media.desktop} {
    -webkit-line-clamp: 2;
  }
`;

const Facts = styled.div`
  display: grid;
  gap: 0.25rem;
  line-height: 1.5;
`;

const Clinician = styled.p`
  ${clamped(2)}
  margin-block-start: 1rem;
`;

const Address = styled.address`
  display: grid;
  grid-template-columns: minmax(0, auto) auto;
  gap: 1.5rem;
  align-items: center;
  justify-content: start;
  font-style: normal;
`;

const Line = styled.span`
  ${clamped(2)}
`;

const Town = styled.span`
  ${clamped(1)}
`;

const PhoneLink = styled(ButtonLink)`
  margin-block-start: 1rem;
`;
