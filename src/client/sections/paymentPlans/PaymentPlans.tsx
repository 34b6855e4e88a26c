import { styled } from 'styled-components';
import { figureLook } from '#client/ui/Section.tsx';
import { useHiddenClaims } from '#client/api/tenant.tsx';
import { token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { RuledCheckList } from '#client/sections/kit/CheckList.tsx';
import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import { paymentPlans } from '#shared/brand/microsite.ts';
import { financingPartners } from '#shared/brand/placeholders.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import { useState } from 'react';
import type { PartnerEntry } from '#shared/pages/brandContent.ts';

/** How paying in installments works; only for providers that accept financing. */
export function PaymentPlans() {
  if (useHiddenClaims().some(({ id }) => id === paymentPlans.claim)) return null;
  return (
    <SplitSection
      copy={paymentPlans}
      titleId={`${paymentPlans.id}-title`}
      layout="even"
      stackGap="3rem"
      aside={<Terms items={paymentPlans.terms} />}
    >
      <Offer>
        <p>{paymentPlans.from}</p>
        <Price>{paymentPlans.price}</Price>
        <ButtonLink href={`#${providerFormAnchor}`} size="large">
          {paymentPlans.action}
        </ButtonLink>
        <Note>{paymentPlans.note}</Note>
        <PartnerLogos partners={financingPartners} label={paymentPlans.partnersLabel} />
      </Offer>
    </SplitSection>
  );
}

const Terms = styled(RuledCheckList)`
  & > li {
    align-items: center;
    font-size: ${token.textLarge};
    line-height: 1.4;
  }

  & > li > svg {
    block-size: auto;
  }
`;

const Offer = styled.div`
  display: grid;
  justify-items: start;
`;

const Price = styled.p`
  margin-block: 0.25rem 2rem;
  color: var(--surface-heading);
  ${figureLook}
  font-size: ${token.figure};
`;

const Note = styled.p`
  margin-block-start: 1.25rem;
  color: var(--surface-muted);
  line-height: 1.5;
`;

/** The partners' logos that are set and load; nothing at all when none does. */
export function PartnerLogos({ partners, label }: { partners: readonly PartnerEntry[]; label: string }) {
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
