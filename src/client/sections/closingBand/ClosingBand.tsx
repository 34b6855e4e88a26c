import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { closingBand } from '#shared/brand/landing.ts';
import { media, token } from '#client/theme/tokens.ts';
import { Card, Section } from '#client/ui/Section.tsx';
import { SectionIntro } from '#client/sections/kit/TitledSection.tsx';
import { providerFormAnchor } from '#shared/pages/paths.ts';

const headingId = 'provider-form-title';

/** The end of the page: the lead form on the violet band, and what happens after it is sent. */
export function ClosingBand({ children }: { children: ReactNode }) {
  return (
    <Section id={providerFormAnchor} tone="band" labelledBy={headingId}>
      <Columns>
        <Arcs />
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
        </div>
      </Columns>
    </Section>
  );
}

const Columns = styled.div`
  position: relative;
  display: grid;
  gap: 2.5rem;

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
  margin-block-start: 1rem;
  counter-reset: next;

  & > li {
    display: grid;
    grid-template-columns: 2.5rem minmax(0, 1fr);
    align-items: baseline;
    padding-block: 1.25rem;
    border-block-start: 1px solid var(--surface-line);
    counter-increment: next;
    font-size: ${token.textLarge};
    line-height: 1.5;
    text-wrap: pretty;
  }

  & > li::before {
    color: var(--surface-heading);
    content: counter(next);
    font-size: ${token.title};
    font-variant-numeric: tabular-nums;
    font-weight: 700;
    line-height: 1;
  }
`;

const Payment = styled.p`
  padding-block-start: 1.25rem;
  border-block-start: 1px solid var(--surface-line);
  color: var(--surface-muted);
  font-size: 0.9375rem;
  line-height: 1.5;
`;

/** The hero's dial again, half risen over the band's edge; ornament for wide screens. */
function Arcs() {
  return (
    <Drawing viewBox="0 0 600 300" aria-hidden="true">
      <circle cx="300" cy="300" r="292" pathLength="100" className="minor" />
      <circle cx="300" cy="300" r="289" pathLength="20" className="major" />
      <circle cx="300" cy="300" r="256" className="track" />
      <circle cx="300" cy="300" r="222" className="track" />
    </Drawing>
  );
}

const Drawing = styled.svg`
  display: none;

  ${media.desktop} {
    position: absolute;
    inset-block-end: calc(-1 * ${token.sectionSpace});
    inset-inline-start: -7rem;
    display: block;
    inline-size: 37.5rem;
    fill: none;
    opacity: 0.24;
    pointer-events: none;
    stroke: #ffffff;
  }

  & .minor {
    stroke-dasharray: 0.1 0.9;
    stroke-dashoffset: 0.05;
    stroke-width: 10;
  }

  & .major {
    stroke-dasharray: 0.03 0.97;
    stroke-dashoffset: 0.015;
    stroke-width: 16;
  }

  & .track {
    opacity: 0.5;
    stroke-width: 12;
  }
`;
