import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { useSite } from '#client/api/tenant.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { studyTexts } from '#shared/brand/trust/study.ts';
import { listMissingFacts, type Study } from '#shared/claims/claim.ts';
import { longDate } from '#shared/formats/writing.ts';
import { ContactLink } from './FormColumns.tsx';

/** What is known about a study; whom to ask while it isn't published. */
export function StudyFacts({ study }: { study: Study }) {
  const facts = listFacts(study);
  const missing = listMissingFacts(study);
  return (
    <>
      {missing.length === 0 ? null : <AskUs about={missing.map((fact) => studyTexts.labels[fact])} />}
      {facts.length === 0 ? null : (
        <Facts>
          {facts.map(([label, value]) => (
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

/** The known facts with their labels, in the order of display. */
function listFacts(study: Study): (readonly [label: string, value: ReactNode])[] {
  const { labels } = studyTexts;
  return [
    [labels.participants, study.participants] as const,
    [labels.months, study.months === null ? null : studyTexts.months(study.months)] as const,
    [labels.design, study.design] as const,
    [labels.measuredBy, study.measuredBy] as const,
    [labels.funding, study.funding] as const,
    [labels.limits, study.limits] as const,
    [labels.citation, study.citation] as const,
    [labels.reviewed, describeReview(study)] as const,
  ].filter(([, value]) => value !== null && value !== '');
}

function describeReview({ reviewedBy, reviewedOn }: Study): string | null {
  if (reviewedBy === null) return null;
  return studyTexts.reviewed(reviewedBy, reviewedOn === null ? null : longDate(reviewedOn));
}

/** `about`: the labels of what isn't published. Who looks for one of them finds it here. */
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
