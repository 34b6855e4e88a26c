import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Check } from '#client/ui/Icon.tsx';
import { Eyebrow, Section, Title } from '#client/ui/Section.tsx';
import { providerFormAnchor } from '#shared/brand/landing.ts';
import { paymentPlans } from '#shared/brand/microsite.ts';
import { financingPartners } from '#shared/brand/placeholders.ts';
import { PartnerLogos } from './PartnerLogos.tsx';

const headingId = `${paymentPlans.id}-title`;

/** What paying in instalments looks like; only for clinics that accept financing. */
export function PaymentPlans() {
  return (
    <Section id={paymentPlans.id} tone="dark" labelledBy={headingId}>
      <Columns>
        <div>
          <Eyebrow>{paymentPlans.eyebrow}</Eyebrow>
          <Title id={headingId}>{paymentPlans.title}</Title>
          <Terms>
            {paymentPlans.terms.map((term) => (
              <li key={term}>
                <Check strokeWidth={2.25} />
                {term}
              </li>
            ))}
          </Terms>
        </div>
        <Offer>
          <p>{paymentPlans.from}</p>
          <Price>{paymentPlans.price}</Price>
          <ButtonLink href={`#${providerFormAnchor}`} size="large">
            {paymentPlans.action}
          </ButtonLink>
          <Note>{paymentPlans.note}</Note>
          <PartnerLogos partners={financingPartners} label={paymentPlans.partnersLabel} />
        </Offer>
      </Columns>
    </Section>
  );
}

const Columns = styled.div`
  display: grid;
  gap: 3rem;

  ${media.desktop} {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: 5rem;
    align-items: center;
  }
`;

const Terms = styled.ul`
  display: grid;
  margin: 2rem 0 0;
  padding: 0;
  list-style: none;

  & > li {
    display: grid;
    grid-template-columns: 1.25rem minmax(0, 1fr);
    gap: 0.875rem;
    align-items: center;
    padding-block: 0.875rem;
    border-block-start: 1px solid var(--surface-line);
    font-size: ${token.textLarge};
    line-height: 1.4;
  }

  & > li > svg {
    inline-size: 1.25rem;
  }
`;

const Offer = styled.div`
  display: grid;
  justify-items: start;
`;

const Price = styled.p`
  margin-block: 0.25rem 2rem;
  color: var(--surface-heading);
  font-size: ${token.display};
  font-variant-numeric: tabular-nums;
  font-weight: 700;
  letter-spacing: -0.03em;
  line-height: 1.05;
`;

const Note = styled.p`
  margin-block-start: 1.25rem;
  color: var(--surface-muted);
  line-height: 1.5;
`;
