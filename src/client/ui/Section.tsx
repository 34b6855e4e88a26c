import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { darkSurface, lightSurface, media, token } from '../theme/tokens.ts';

/** `band` is only for the form that closes a page. */
export type SectionTone = 'plain' | 'band';

export interface SectionProps {
  id?: string;
  tone?: SectionTone;
  /** Id of the title that names the section. */
  labelledBy?: string;
  children: ReactNode;
}

/** A part of the page, below a line, with the 1120 px column. Text and buttons take the colors of its ground. */
export function Section({ id, tone = 'plain', labelledBy, children }: SectionProps) {
  return (
    <Band id={id} aria-labelledby={labelledBy} $tone={tone}>
      <Container>{children}</Container>
    </Band>
  );
}

/** The page's column: 1120 px at most, 20 px from the edge of a phone. */
export const Container = styled.div`
  inline-size: min(100% - 2.5rem, ${token.contentWidth});
  margin-inline: auto;

  ${media.tablet} {
    inline-size: min(100% - 4rem, ${token.contentWidth});
  }
`;

/** For content on a dark background. */
const onDark = css`
  ${darkSurface}
  color: var(--surface-text);
`;

/** For a card inside a dark band. */
export const onLight = css`
  ${lightSurface}
  color: var(--surface-text);
`;

const band = css`
  ${onDark}
  border: 0;
  background: ${token.primary};
`;

const Band = styled.section<{ $tone: SectionTone }>`
  padding-block: ${token.sectionSpace};
  border-block-start: 1px solid var(--surface-line);
  ${({ $tone }) => ($tone === 'band' ? band : null)}
`;

/** The small line above a title. */
export const Eyebrow = styled.p`
  margin-block-end: 0.75rem;
  color: var(--surface-text);
  font-size: 0.875rem;
  font-weight: 550;
  line-height: 1.4;
  text-wrap: balance;
`;

/** The headline of a page. */
export const DisplayTitle = styled.h1`
  font-size: ${token.display};
  letter-spacing: -0.032em;
  line-height: 1;
`;

/** A section's title. */
export const Title = styled.h2`
  max-inline-size: 17em;
  font-size: ${token.titleLarge};
  letter-spacing: -0.024em;
  line-height: 1.07;
`;

/** The sentence under a title, at most 68 characters a line. */
export const Lead = styled.p`
  max-inline-size: ${token.measure};
  margin-block-start: 1rem;
  color: var(--surface-muted);
  font-size: ${token.textLarge};
  line-height: 1.6;
`;

/** A white sheet with a fine edge, light on any ground. Use `as` for its element. */
export const Card = styled.div`
  ${onLight}
  min-inline-size: 0;
  padding: 1.5rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.background};

  ${media.tablet} {
    padding: 2rem;
  }
`;

/** Text whose ranges of figures, such as 24-48 or $2K-8K, stay on one line; browsers break after their hyphen. */
export function NoWrap({ text }: { text: string }) {
  return text
    .split(/(\S*\d\w*-\d\S*)/)
    .map((part, index) => (index % 2 === 1 ? <Range key={part}>{part}</Range> : part));
}

const Range = styled.span`
  white-space: nowrap;
`;

/** Names a card, a step or another small block. Use `as` for its level. */
export const SmallTitle = styled.h3`
  color: var(--surface-heading);
  font-size: ${token.titleSmall};
  letter-spacing: -0.012em;
  line-height: 1.25;
`;

/** How a figure looks that its text explains. */
export const figureLook = css`
  font-family: ${token.serif};
  font-variant-numeric: lining-nums tabular-nums;
  font-weight: 400;
  letter-spacing: -0.035em;
  line-height: 1;
`;

/** Only screen readers get it. */
export const hiddenLook = `
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  padding: 0;
  overflow: hidden;
  clip-path: inset(50%);
`;

/** Text for screen readers only. */
export const VisuallyHidden = styled.span`
  ${hiddenLook}
  margin: -1px;
  white-space: nowrap;
`;

/** Visible only while it has the focus. The keyboard's first stop. */
export const SkipLink = styled.a`
  position: fixed;
  inset-block-start: 0.5rem;
  inset-inline-start: 0.5rem;
  z-index: 40;
  padding: 0.75rem 1.25rem;
  border-radius: ${token.pill};
  background: ${token.background};
  color: ${token.primary};
  font-weight: 600;

  &:not(:focus) {
    opacity: 0;
    transform: translateY(-200%);
  }
`;
