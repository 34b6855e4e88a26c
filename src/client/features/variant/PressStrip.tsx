import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { PartnerLogos } from '#client/ui/PartnerLogos.tsx';
import { Section } from '#client/ui/Section.tsx';
import { SmallTitle } from '#client/ui/SmallTitle.tsx';
import { type PartnerEntry, pressLogos } from '#shared/brand/placeholders.ts';
import { pressStrip } from '#shared/brand/variant.ts';

/** Who wrote of the treatment, where that is set, and who stands behind it. */
export function PressStrip({ logos = pressLogos }: { logos?: readonly PartnerEntry[] }) {
  const { title, label, credential } = pressStrip;
  return (
    <Section labelledBy="credential-title">
      <PartnerLogos partners={logos} label={label} title={title} />
      <Credential>
        <SmallTitle as="h2" id="credential-title">
          {credential.title}
        </SmallTitle>
        <p>{credential.text}</p>
      </Credential>
    </Section>
  );
}

const Credential = styled.div`
  max-inline-size: 46rem;

  * + & {
    margin-block-start: 3rem;
  }

  & > p {
    margin-block-start: 0.75rem;
    font-size: ${token.textLarge};
  }
`;
