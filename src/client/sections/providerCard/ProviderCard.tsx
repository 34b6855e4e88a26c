import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { Card } from '#client/ui/Card.tsx';
import { Picture } from '#client/ui/Picture.tsx';
import { SmallTitle } from '#client/ui/SmallTitle.tsx';
import type { TenantView } from '#shared/providers/tenant.ts';
import { ClinicContacts } from './ProviderContacts.tsx';

interface ClinicCardProps {
  clinic: TenantView;
  headingLevel?: 2 | 3;
}

/** A clinic on a sheet: who, and how to reach it. */
export function ClinicCard({ clinic, headingLevel = 3 }: ClinicCardProps) {
  return (
    <Sheet>
      <Who>
        <ClinicPicture
          src={clinic.imageUrl}
          alt=""
          fallback={<Initial aria-hidden="true">{clinic.initial}</Initial>}
        />
        <div>
          <Name as={`h${headingLevel}`}>{clinic.name}</Name>
          {clinic.practiceName === null ? null : <PracticeName>{clinic.practiceName}</PracticeName>}
        </div>
      </Who>
      <ClinicContacts clinic={clinic} />
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

const ClinicPicture = styled(Picture)`
  inline-size: 5rem;
  block-size: 5rem;
  border-radius: ${token.radius};
  background: ${token.tint};
  object-fit: cover;
`;

const Initial = styled.span`
  display: grid;
  place-items: center;
  inline-size: 5rem;
  block-size: 5rem;
  border-radius: ${token.radius};
  background: ${token.tint};
  color: ${token.primary};
  font-size: ${token.titleLarge};
  font-weight: 700;
  line-height: 1;
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
