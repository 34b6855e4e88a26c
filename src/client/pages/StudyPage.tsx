import { styled } from 'styled-components';
import { useBoot, useHiddenClaims, usePage } from '#client/api/tenant.tsx';
import { HiddenFields } from '#client/forms/FormFrame.tsx';
import { Button } from '#client/ui/Button.tsx';
import { controlLook, Field, FieldError, FieldFrame, TextArea } from '#client/ui/Field.tsx';
import { problemTexts } from '#shared/brand/trust/plainTalk.ts';
import { type problemFields, problemLimits } from '#shared/claims/problemFields.ts';
import { PageColumn, PageTitle } from '#client/sections/kit/FormColumns.tsx';
import { StudyFacts } from '#client/sections/kit/StudyFacts.tsx';
import { problemAnchor } from '#shared/pages/paths.ts';
import { token } from '#client/theme/tokens.ts';
import { Lead, SmallTitle, Title } from '#client/ui/Section.tsx';
import { studyNote } from '#shared/brand/calls.ts';
import { claims } from '#shared/brand/claims.ts';
import { studyTexts } from '#shared/brand/trust/study.ts';
import { type Claim, type ClaimPages, withoutClaims } from '#shared/claims/claim.ts';

/** What the site's claims rest on. The marks of the claims lead here where scripts don't run. */
export function StudyPage() {
  const shown = useShownClaims();
  const studies = new Set(shown.flatMap(({ study }) => study ?? []));
  return (
    <PageColumn>
      <PageTitle>{studyNote.more}</PageTitle>
      <Lead>{studyTexts.lead}</Lead>
      {[...studies].map((study) => (
        <StudySection key={study.title} of={shown.filter((claim) => claim.study === study)} />
      ))}
      <Place id={problemAnchor}>
        <Title>{problemTexts.title}</Title>
        <ProblemForm claims={shown} />
      </Place>
    </PageColumn>
  );
}

/** The claims that the host's own pages make, also without those whose text states a hidden one. */
function useShownClaims(): Claim[] {
  const hidden = useHiddenClaims();
  const { tenant } = useBoot();
  const { form, fromClinics } = usePage('study');
  const isMade: Record<ClaimPages, boolean> = {
    everySite: true,
    mainSite: tenant === null,
    paymentPlans: tenant?.acceptsFinancing ?? true,
    clinics: tenant === null && fromClinics,
  };
  const all: readonly Claim[] = claims;
  return all.filter(
    ({ id, text, madeOn }) =>
      (isMade[madeOn] || id === form?.values['claim']) &&
      hidden.every((claim) => claim.id !== id) &&
      withoutClaims(text, hidden) !== '',
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

/** A plain form, with scripts too: it is short, and what is typed comes back with its errors. */
function ProblemForm({ claims: named }: { claims: readonly Claim[] }) {
  const { formToken } = useBoot();
  const { form: posted, reported } = usePage('study');
  if (reported) return <Lead as="output">{problemTexts.received}</Lead>;
  const { labels } = problemTexts;
  const field = (name: (typeof problemFields)[number]) => ({
    name,
    label: labels[name],
    defaultValue: posted?.values[name],
    error: posted?.errors[name],
    // No script may run that could move the focus.
    ...(posted?.errors[name] === undefined ? {} : { autoFocus: true }),
  });
  const [what, claim, contact] = [field('what'), field('claim'), field('contact')];
  return (
    <form method="post" action="/api/problem-reports">
      <Lead>{problemTexts.lead}</Lead>
      <TextArea {...what} required rows={4} maxLength={problemLimits.whatLengthMax} />
      <FieldFrame label={claim.label} id="field-claim" className={undefined}>
        <Choice id="field-claim" name="claim" defaultValue={claim.defaultValue ?? ''}>
          <option value="">{problemTexts.noClaim}</option>
          {named.map(({ id, text }) => (
            <option key={id} value={id}>
              {text}
            </option>
          ))}
        </Choice>
      </FieldFrame>
      <Field {...contact} type="text" maxLength={problemLimits.contactLengthMax} autoComplete="off" />
      {posted === null || posted.message === '' ? null : (
        <FieldError id="problem-message" message={posted.message} />
      )}
      <HiddenFields values={{ token: formToken }} />
      <Button type="submit" size="large">
        {problemTexts.submit}
      </Button>
    </form>
  );
}

const Choice = styled.select`
  ${controlLook}
  min-block-size: 3.25rem;
  padding-inline: 0.75rem;
`;

const Place = styled.section`
  max-inline-size: ${token.measure};
  margin-block-start: 3rem;

  scroll-margin-block-start: 1rem;

  & > form {
    display: grid;
    gap: 1.25rem;
  }

  & > h3 {
    margin-block: 1.5rem 0.5rem;
  }

  & > ul {
    padding-inline-start: 1.25rem;
    list-style: disc;
  }
`;
