import { useState } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import type { PartnerEntry } from '#shared/brand/placeholders.ts';

interface PartnerLogosProps {
  partners: readonly PartnerEntry[];
  label: string;
  /** Stands over the logos, and goes with the last of them. */
  title?: string;
}

/** The partners' logos that are set and load; nothing at all when none does. */
export function PartnerLogos({ partners, label, title }: PartnerLogosProps) {
  const [broken, setBroken] = useState<readonly string[]>([]);
  const shown = partners.filter(
    ({ id, name, logoUrl }) => name !== null && logoUrl !== null && !broken.includes(id),
  );
  if (shown.length === 0) return null;
  const drop = (id: string): void => setBroken((ids) => [...ids, id]);
  return (
    <>
      {title === undefined ? null : <StripTitle>{title}</StripTitle>}
      <Logos aria-label={label}>
        {shown.map(({ id, name, logoUrl }) => (
          <li key={id}>
            <img
              // One that failed before the page came alive fires no event any more.
              ref={(image) => {
                if (image?.complete === true && image.naturalWidth === 0)
                  image.decode().catch(() => drop(id));
              }}
              src={logoUrl ?? undefined}
              alt={name ?? ''}
              height={32}
              loading="lazy"
              onError={() => drop(id)}
            />
          </li>
        ))}
      </Logos>
    </>
  );
}

const StripTitle = styled.h2`
  color: var(--surface-muted);
  font-size: ${token.text};
  font-weight: 600;
  letter-spacing: 0;
`;

const Logos = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem;
  margin: 2rem 0 0;
  padding: 0;
  list-style: none;

  ${StripTitle} + & {
    margin-block-start: 1rem;
  }

  & > li {
    display: grid;
    padding: 0.75rem 1.25rem;
    border-radius: ${token.radius};
    background: ${token.background};
  }

  & img {
    block-size: 2rem;
    inline-size: auto;
  }
`;
