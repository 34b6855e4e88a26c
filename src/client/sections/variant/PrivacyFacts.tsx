import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { CreditCard, Lock, MessageCircle, UserRound } from '#client/ui/Icon.tsx';
import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import { SmallTitle } from '#client/ui/text.tsx';
import { callToAction } from '#shared/brand/calls.ts';
import { type PrivacyFactKey, privacyFacts } from '#shared/brand/variant.ts';
import { paths, providerFormAnchor } from '#shared/pages/paths.ts';

const icons: Record<PrivacyFactKey, typeof Lock> = {
  receiver: UserRound,
  noTrackers: Lock,
  noPayment: CreditCard,
  stop: MessageCircle,
};

/** Who sees what is typed, and a link to the form. */
export function PrivacyFacts() {
  const { facts, policyLabel } = privacyFacts;
  return (
    <SplitSection
      copy={privacyFacts}
      titleId="privacy-title"
      aside={<PolicyLink href={paths.privacy}>{policyLabel}</PolicyLink>}
      after={
        <Call href={`#${providerFormAnchor}`} size="large">
          {callToAction.start}
        </Call>
      }
    >
      <Facts>
        {facts.map((fact) => {
          const FactIcon = icons[fact.key];
          return (
            <li key={fact.key}>
              <FactIcon strokeWidth={1.5} />
              <div>
                <SmallTitle>{fact.title}</SmallTitle>
                <p>{fact.text}</p>
              </div>
            </li>
          );
        })}
      </Facts>
    </SplitSection>
  );
}

const PolicyLink = styled.a`
  display: inline-block;
  margin-block-start: 1rem;
  padding-block: 0.625rem;
  font-weight: 600;
`;

const Facts = styled.ul`
  display: grid;
  gap: 2rem;

  & > li {
    display: grid;
    grid-template-columns: 2rem minmax(0, 1fr);
    gap: 1rem;
  }

  & > li > svg {
    inline-size: 2rem;
    color: ${token.secondary};
  }

  & p {
    margin-block-start: 0.25rem;
  }

  ${media.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 2.5rem 2rem;
  }
`;

const Call = styled(ButtonLink)`
  inline-size: 100%;
  margin-block-start: 3rem;

  ${media.tablet} {
    inline-size: auto;
  }
`;
