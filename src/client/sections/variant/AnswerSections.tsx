import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { Stations } from '#client/sections/kit/Stations.tsx';
import { useCopy } from '#client/api/tenant.tsx';
import { Noted } from '#client/sections/kit/marginNotes.ts';
import { StudyNote } from '#client/sections/kit/StudyNote.tsx';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import {
  treatmentSection,
  firstCall,
  comparison,
  type PrivacyFactKey,
  privacyFacts,
} from '#shared/brand/variant.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { CreditCard, Lock, MessageCircle, UserRound } from '#client/ui/Icon.tsx';
import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import { callToAction } from '#shared/brand/calls.ts';
import { paths, providerFormAnchor } from '#shared/pages/paths.ts';

/** What the treatment is, part by part, and what it is not; with the note that the page's study figures link to. */
export function Treatment() {
  const { parts, limits } = treatmentSection;
  return (
    <TitledSection copy={treatmentSection} titleId="treatment-title">
      <Noted>
        <Parts>
          {parts.map((part) => (
            <li key={part.title}>
              <SmallTitle>{part.title}</SmallTitle>
              <p>{part.text}</p>
            </li>
          ))}
        </Parts>
        <Limits>
          <SmallTitle>{limits.title}</SmallTitle>
          <p>{limits.text}</p>
        </Limits>
        <Note />
      </Noted>
    </TitledSection>
  );
}

/** Its line is the first part's. */
const Note = styled(StudyNote)`
  ${media.desktop} {
    margin-block-start: 3rem;
  }
`;

const Parts = styled.ol`
  display: grid;
  margin-block: 3rem 0;
  border-block-end: 1px solid var(--surface-line);
  counter-reset: part;

  & > li {
    display: grid;
    gap: 0.25rem 2rem;
    padding-block: 1.5rem;
    border-block-start: 1px solid var(--surface-line);
    counter-increment: part;
  }

  & > li > h3::before {
    display: inline-block;
    min-inline-size: 2.25rem;
    color: var(--surface-muted);
    content: counter(part);
    font-variant-numeric: tabular-nums;
  }

  & > li > p {
    max-inline-size: 38rem;
  }

  ${media.tablet} {
    & > li {
      grid-template-columns: minmax(0, 5fr) minmax(0, 8fr);
      align-items: baseline;
    }
  }
`;

const Limits = styled.div`
  max-inline-size: 46rem;
  margin-block: 2.5rem 2rem;

  & > p {
    margin-block-start: 0.5rem;
  }
`;

/** What happens in a first call, in order. */
export function FirstCall() {
  return (
    <TitledSection copy={firstCall} titleId="first-call-title">
      <Stations $count={4}>
        {firstCall.moments.map(({ title, text }) => (
          <li key={title}>
            <SmallTitle>{title}</SmallTitle>
            <p>{text}</p>
          </li>
        ))}
      </Stations>
    </TitledSection>
  );
}

/** The options side by side, including doing nothing. */
export function Comparison() {
  const { labels, rows } = useCopy(comparison);
  return (
    <TitledSection copy={comparison} titleId="options-title">
      <Rows>
        {rows.map(({ option, operation, examined, note, own }) => (
          <Row key={option} $own={own}>
            <SmallTitle>{option}</SmallTitle>
            <dl>
              <Fact label={labels.operation} value={operation} />
              <Fact label={labels.examined} value={examined} />
              <Fact label={labels.note} value={note} />
            </dl>
          </Row>
        ))}
      </Rows>
    </TitledSection>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const Rows = styled.ul`
  display: grid;
  gap: 1rem;
  margin-block-start: 3rem;

  ${media.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }

  ${media.desktop} {
    grid-template-columns: repeat(4, minmax(0, 1fr));
  }
`;

const Row = styled.li<{ $own: boolean }>`
  display: grid;
  grid-template-rows: auto 1fr;
  gap: 1.25rem;
  padding: 1.5rem;
  border: ${({ $own }) => ($own ? `2px solid ${token.ink}` : `1px solid ${token.line}`)};
  border-radius: ${token.radius};
  background: ${token.background};

  ${media.desktop} {
    grid-template-rows: 3.5rem 1fr;
  }

  & dl {
    display: grid;
    align-content: start;
    gap: 0.875rem;
  }

  & dt {
    color: var(--surface-muted);
    font-size: 0.875rem;
    line-height: 1.4;
  }

  & dd {
    margin: 0;
    font-weight: 600;
    line-height: 1.45;
  }

  & div:last-child > dd {
    font-weight: 400;
  }
`;

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
    color: var(--surface-heading);
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
