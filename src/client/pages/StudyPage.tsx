import { styled } from 'styled-components';
import { useHiddenClaims } from '#client/api/tenant.tsx';
import { PageColumn, PageTitle } from '#client/sections/kit/FormColumns.tsx';
import { StudyFacts } from '#client/sections/kit/StudyFacts.tsx';
import { token } from '#client/theme/tokens.ts';
import { Lead, SmallTitle, Title } from '#client/ui/Section.tsx';
import { studyNote } from '#shared/brand/calls.ts';
import { claims } from '#shared/brand/claims.ts';
import { studyTexts } from '#shared/brand/study.ts';
import { type Claim, type HiddenClaim, withoutClaims } from '#shared/claims/claim.ts';

/** What the site's claims rest on. The marks of the claims lead here where scripts don't run. */
export function StudyPage() {
  const hidden = useHiddenClaims();
  const shown = listShownClaims(hidden);
  const studies = new Set(shown.flatMap(({ study }) => study ?? []));
  return (
    <PageColumn>
      <PageTitle>{studyNote.more}</PageTitle>
      <Lead>{studyTexts.lead}</Lead>
      {[...studies].map((study) => (
        <StudySection key={study.title} of={shown.filter((claim) => claim.study === study)} />
      ))}
    </PageColumn>
  );
}

/** Also without those whose text states a hidden one. */
function listShownClaims(hidden: readonly HiddenClaim[]): Claim[] {
  const all: readonly Claim[] = claims;
  return all.filter(
    ({ id, text }) => hidden.every((claim) => claim.id !== id) && withoutClaims(text, hidden) !== '',
  );
}

/** A study and the claims that rest on it, of which there is at least one. */
function StudySection({ of }: { of: readonly Claim[] }) {
  const study = of[0]?.study ?? null;
  if (study === null) return null;
  return (
    <Place>
      {/* Each claim's mark leads to the facts, which say more than the claim. */}
      {of.map(({ id }) => (
        <span key={id} id={id} />
      ))}
      <Title>{study.title}</Title>
      <StudyFacts study={study} />
      <SmallTitle>{studyTexts.claims}</SmallTitle>
      <ul>
        {of.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </Place>
  );
}

const Place = styled.section`
  max-inline-size: ${token.measure};
  margin-block-start: 3rem;

  & > h3 {
    margin-block: 1.5rem 0.5rem;
  }

  & > ul {
    padding-inline-start: 1.25rem;
    list-style: disc;
  }
`;
