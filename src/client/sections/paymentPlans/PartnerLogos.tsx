import { useState } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import type { PartnerEntry } from '#shared/pages/brandContent.ts';

interface PartnerLogosProps {
  partners: readonly PartnerEntry[];
  label: string;
}

/** The partners' logos that are set and load; nothing at all when none does. */
export function PartnerLogos({ partners, label }: PartnerLogosProps) {
  const [broken, setBroken] = useState<readonly string[]>([]);
  const shown = partners.filter(
    ({ id, name, logoUrl }) => name !== null && logoUrl !== null && !broken.includes(id),
  );
  if (shown.length === 0) return null;
  return (
    <Logos aria-label={label}>
      {shown.map(({ id, name, logoUrl }) => (
        <li key={id}>
          <img
            src={logoUrl ?? undefined}
            alt={name ?? ''}
            height={32}
            loading="lazy"
            onError={() => setBroken((ids) => [...ids, id])}
          />
        </li>
      ))}
    </Logos>
  );
}

const Logos = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem;
  margin: 2rem 0 0;
  padding: 0;
  list-style: none;

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
