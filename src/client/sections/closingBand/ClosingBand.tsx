import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { closingBand } from '#shared/brand/landing.ts';
import { media, token } from '#client/theme/tokens.ts';
import { Card, Section } from '#client/ui/Section.tsx';
import { PlainTalk } from '#client/sections/kit/PlainTalk.tsx';
import { SectionIntro } from '#client/sections/kit/TitledSection.tsx';
import { providerFormAnchor } from '#shared/pages/paths.ts';

const headingId = 'provider-form-title';

/** The end of the page: the lead form on the violet band, and what happens after it is sent. */
export function ClosingBand({ children }: { children: ReactNode }) {
  return (
    <Section id={providerFormAnchor} tone="band" labelledBy={headingId}>
      <Columns>
        <div>
          <SectionIntro copy={closingBand} titleId={headingId} />
        </div>
        <Sheet>{children}</Sheet>
        <div>
          <NextTitle>{closingBand.nextTitle}</NextTitle>
          <Next>
            {closingBand.next.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </Next>
          <Payment>{closingBand.payment}</Payment>
          <PlainTalk />
        </div>
      </Columns>
    </Section>
  );
}

const Columns = styled.div`
  display: grid;
  gap: 1.5rem;

  ${media.tablet} {
    grid-template-columns: minmax(0, 5fr) minmax(0, 6fr);
    grid-template-rows: auto 1fr;
  }

  ${media.desktop} {
    gap: 3rem 5rem;
  }
`;

const Sheet = styled(Card)`
  ${media.tablet} {
    grid-column: 2;
    grid-row: 1 / 3;
  }

  ${media.desktop} {
    padding: 2.5rem;
  }
`;

const NextTitle = styled.h3`
  font-size: ${token.textLarge};
  line-height: 1.4;
`;

const Next = styled.ol`
  display: grid;
  margin-block-start: 0.5rem;
  counter-reset: next;

  & > li {
    display: grid;
    grid-template-columns: 2rem minmax(0, 1fr);
    padding-block: 0.5rem;
    border-block-start: 1px solid var(--surface-line);
    counter-increment: next;
    line-height: 1.5;
  }

  & > li::before {
    color: var(--surface-heading);
    content: counter(next);
  }
`;

const Payment = styled.p`
  padding-block-start: 0.75rem;
  border-block-start: 1px solid var(--surface-line);
  color: var(--surface-muted);
  font-size: 0.9375rem;
  line-height: 1.5;
`;
