import { styled } from 'styled-components';
import { useHiddenClaims, useSite } from '#client/api/tenant.tsx';
import { media, token } from '#client/theme/tokens.ts';
import type { ClaimId } from '#shared/brand/claims.ts';
import { factClaims, studyTexts } from '#shared/brand/trust/study.ts';
import { listMissingFacts, type Study, withoutClaims } from '#shared/claims/claim.ts';
import { longDate } from '#shared/formats/writing.ts';
import { ContactLink } from './FormColumns.tsx';

/** What is known about a study; whom to ask while it isn't published. */
export function StudyFacts({ study }: { study: Study }) {
  const facts = withoutClaims(listFacts(study), useHiddenClaims()).filter(
    ({ value }) => value !== null && value !== '',
  );
  const missing = listMissingFacts(study);
  return (
    <>
      {missing.length === 0 ? null : <AskUs about={missing.map((fact) => studyTexts.labels[fact])} />}
      {facts.length === 0 ? null : (
        <Facts>
          {facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </Facts>
      )}
      {study.url === null ? null : (
        <ContactLink href={study.url} rel="noopener">
          {studyTexts.read}
        </ContactLink>
      )}
    </>
  );
}

interface Fact {
  /** The claim that it states. */
  claim?: ClaimId;
  label: string;
  value: string | number | null;
}

/** The facts with their labels, in the order of display. */
function listFacts(study: Study): Fact[] {
  const { labels, months } = studyTexts;
  return [
    { claim: factClaims.participants, label: labels.participants, value: study.participants },
    {
      claim: factClaims.months,
      label: labels.months,
      value: study.months === null ? null : months(study.months),
    },
    { label: labels.design, value: study.design },
    { label: labels.measuredBy, value: study.measuredBy },
    { label: labels.funding, value: study.funding },
    { label: labels.limits, value: study.limits },
    { label: labels.citation, value: study.citation },
    { label: labels.reviewed, value: describeReview(study) },
  ];
}

function describeReview({ reviewedBy, reviewedOn }: Study): string | null {
  if (reviewedBy === null) return null;
  return studyTexts.reviewed(reviewedBy, reviewedOn === null ? null : longDate(reviewedOn));
}

/** `about`: the labels of what isn't published. They are listed, so that a search of the page finds them. */
function AskUs({ about }: { about: readonly string[] }) {
  const { contacts } = useSite();
  return (
    <Ask>
      <strong>{studyTexts.notPublished}</strong>
      <br />
      {about.join(' · ')}
      <br />
      <ContactLink href={`mailto:${contacts.email}`}>{contacts.email}</ContactLink>
      {' · '}
      <ContactLink href={contacts.phoneHref}>{contacts.phone}</ContactLink>
    </Ask>
  );
}

const Ask = styled.p`
  padding-block: 0.75rem;
`;

const Facts = styled.dl`
  border-block-end: 1px solid ${token.line};

  & > div {
    padding-block: 0.625rem;
    border-block-start: 1px solid ${token.line};

    ${media.tablet} {
      display: grid;
      grid-template-columns: 11rem minmax(0, 1fr);
      gap: 1rem;
    }
  }

  & dt {
    color: var(--surface-muted);
  }

  & dd {
    margin: 0;
    font-variant-numeric: tabular-nums;
  }
`;
