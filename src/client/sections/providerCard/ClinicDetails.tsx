import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { ContactLink } from '#client/sections/kit/FormColumns.tsx';
import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import { useBoot, useCopy } from '#client/api/tenant.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { ArrowUpRight } from '#client/ui/Icon.tsx';
import { Picture } from '#client/ui/Picture.tsx';
import { SmallTitle, VisuallyHidden } from '#client/ui/Section.tsx';
import { network } from '#shared/brand/map.ts';
import { clinicDetails, microsite, npiAddress } from '#shared/brand/microsite.ts';
import { openingTexts } from '#shared/formats/openingTexts.ts';
import { paths } from '#shared/pages/paths.ts';
import { listDayTimes } from '#shared/providers/dayTimes.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import { Plate } from './ClinicFront.tsx';
import { ProviderContacts } from './ProviderContacts.tsx';

/** What visitors want to check of a clinic: where and when, who treats there, and what it says of itself. */
export function ClinicDetails({ provider }: { provider: TenantView }) {
  return (
    <SplitSection
      copy={microsite.contact}
      titleId="contact-title"
      stackGap="2rem"
      after={<About provider={provider} />}
    >
      <Columns>
        <Place provider={provider} />
        <Hours times={listTimes(provider)} />
        <Team provider={provider} />
      </Columns>
    </SplitSection>
  );
}

/** The server's are its template's (server/render/templates/slots.ts), and aren't sent. */
function listTimes({ dayTimes, hours }: TenantView): readonly string[] {
  return import.meta.env.SSR || hours === null ? dayTimes : listDayTimes(hours);
}

function Place({ provider }: { provider: TenantView }) {
  const { tenant } = useBoot();
  return (
    <div>
      {/* The first screen has it otherwise. */}
      {provider.imageUrl === null ? null : <Plate src={provider.plate} loading="lazy" />}
      <ProviderContacts provider={provider} />
      {tenant === null ? null : <ContactLink href={paths.map}>{clinicDetails.openMap}</ContactLink>}
    </div>
  );
}

function Hours({ times }: { times: readonly string[] }) {
  if (times.length === 0) return null;
  return (
    <div>
      <SmallTitle>{clinicDetails.hours}</SmallTitle>
      <Times>
        <tbody>
          {openingTexts.weekdays.map((weekday, at) => (
            <tr key={weekday}>
              <th scope="row">{weekday}</th>
              <td>{times[at]}</td>
            </tr>
          ))}
        </tbody>
      </Times>
      <Note>{openingTexts.holidays}</Note>
    </div>
  );
}

function Team({ provider }: { provider: TenantView }) {
  const { clinician, npi, certifiedSince, languages } = provider;
  const certified = useCopy(clinicDetails.certified);
  const hasFacts = [clinician, npi, certifiedSince, languages].some((fact) => fact !== null);
  return (
    <div>
      <SmallTitle>{hasFacts ? clinicDetails.team : clinicDetails.certification}</SmallTitle>
      {!hasFacts ? null : (
        <dl>
          {clinician === null ? null : <Row term={clinicDetails.clinician}>{clinician}</Row>}
          {npi === null ? null : (
            <Row term={clinicDetails.npi}>
              <NewTab href={`${npiAddress}${npi}`}>{npi}</NewTab>
            </Row>
          )}
          {certifiedSince === null ? null : <Row term={clinicDetails.certifiedSince}>{certifiedSince}</Row>}
          {languages === null ? null : <Row term={clinicDetails.languages}>{languages}</Row>}
        </dl>
      )}
      <Meaning>
        <summary>{certified.label}</summary>
        <p>{certified.text}</p>
      </Meaning>
    </div>
  );
}

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <Pair>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </Pair>
  );
}

function NewTab({ href, children }: { href: string; children: ReactNode }) {
  return (
    <ContactLink href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <VisuallyHidden> {network.list.newWindow}</VisuallyHidden>
    </ContactLink>
  );
}

function About({ provider: { about, pictures, bookingUrl } }: { provider: TenantView }) {
  return (
    <>
      {about === null ? null : (
        <Block>
          <SmallTitle>{clinicDetails.about}</SmallTitle>
          <Text>{about}</Text>
        </Block>
      )}
      {pictures.length === 0 ? null : (
        <Gallery>
          {pictures.map((picture) => (
            <li key={picture}>
              <Picture src={picture} alt={clinicDetails.picture} loading="lazy" />
            </li>
          ))}
        </Gallery>
      )}
      {bookingUrl === null ? null : (
        <Block>
          <ButtonLink href={bookingUrl} variant="secondary" target="_blank" rel="noopener noreferrer">
            {clinicDetails.book}
            <ArrowUpRight />
            <VisuallyHidden> {network.list.newWindow}</VisuallyHidden>
          </ButtonLink>
        </Block>
      )}
    </>
  );
}

const Columns = styled.div`
  display: grid;
  gap: 2.5rem;

  ${media.desktop} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
`;

const Times = styled.table`
  inline-size: 100%;
  margin-block-start: 0.75rem;
  border-collapse: collapse;
  font-variant-numeric: tabular-nums;

  & th,
  & td {
    padding-block: 0.375rem;
    border-block-end: 1px solid ${token.line};
    font-weight: 400;
    text-align: start;
    vertical-align: top;
  }

  & th {
    padding-inline-end: 1rem;
  }

  & td {
    white-space: pre;
  }
`;

const Note = styled.p`
  margin-block-start: 0.5rem;
  color: var(--surface-muted);
  font-size: 0.8125rem;
`;

const Pair = styled.div`
  display: grid;
  grid-template-columns: 8rem minmax(0, 1fr);
  gap: 1rem;
  align-items: baseline;
  padding-block: 0.5rem;
  border-block-end: 1px solid ${token.line};
  overflow-wrap: anywhere;

  & dt {
    color: var(--surface-muted);
  }

  & dd a {
    padding-block: 0.625rem;
    margin-block: -0.625rem;
  }
`;

const Meaning = styled.details`
  margin-block-start: 0.5rem;

  & summary {
    min-block-size: 2.75rem;
    padding-block: 0.625rem;
    color: var(--surface-link);
    cursor: pointer;
  }
`;

const Block = styled.div`
  margin-block-start: 2.5rem;
`;

const Text = styled.p`
  max-inline-size: ${token.measure};
  margin-block-start: 0.75rem;
  overflow-wrap: anywhere;
  white-space: pre-line;
`;

const Gallery = styled.ul`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr));
  gap: 1rem;
  margin-block-start: 2.5rem;

  /* Without a picture that loads, neither a box nor the space above it. */
  &:not(:has(img)),
  & > :empty {
    display: none;
  }

  & img {
    inline-size: 100%;
    aspect-ratio: 16 / 10;
    border-radius: ${token.radius};
    background: ${token.tint};
    object-fit: cover;
  }
`;
