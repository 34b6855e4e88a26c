import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Picture } from '#client/ui/Picture.tsx';
import { Section, SmallTitle } from '#client/ui/Section.tsx';
import { pressLogos } from '#shared/brand/placeholders.ts';
import type { PartnerEntry } from '#shared/pages/brandContent.ts';
import { useCopy } from '#client/api/tenant.tsx';
import { pressStrip } from '#shared/brand/variant.ts';

/** Logos of the press that covered the treatment, if set, and who backs it. */
export function PressStrip({ logos = pressLogos }: { logos?: readonly PartnerEntry[] }) {
  const { title, credential } = useCopy(pressStrip);
  const shown = logos.filter(({ name, logoUrl }) => name !== null && logoUrl !== null);
  return (
    <Section labelledBy="credential-title">
      {shown.length === 0 ? null : (
        <Strip>
          <StripTitle>{title}</StripTitle>
          <Logos>
            {shown.map(({ id, name, logoUrl }) => (
              <li key={id}>
                <Picture src={logoUrl} alt={name ?? ''} />
              </li>
            ))}
          </Logos>
        </Strip>
      )}
      <Credential>
        <SmallTitle as="h2" id="credential-title">
          {credential.title}
        </SmallTitle>
        <p>{credential.text}</p>
      </Credential>
    </Section>
  );
}

/** A logo that fails to load leaves nothing behind; with the last of them goes the title. */
const Strip = styled.div`
  margin-block-end: 3rem;

  &:not(:has(img)) {
    display: none;
  }
`;

const StripTitle = styled.h2`
  color: var(--surface-muted);
  font-size: ${token.text};
  font-weight: 600;
  letter-spacing: 0;
`;

const Logos = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: 1rem 2.5rem;
  align-items: center;
  margin-block-start: 1rem;

  & > li:empty {
    display: none;
  }

  & img {
    block-size: 2rem;
    inline-size: auto;
  }
`;

const Credential = styled.div`
  max-inline-size: 46rem;

  & > p {
    margin-block-start: 0.75rem;
    font-size: ${token.textLarge};
  }
`;
