import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { darkSurface, lightSurface, media, token } from '../theme/tokens.ts';

/** `gradient` is only for the hero and the closing band. */
export type SectionTone = 'plain' | 'tint' | 'dark' | 'gradient';

export interface SectionProps {
  id?: string;
  tone?: SectionTone;
  /** Id of the title that names the section. */
  labelledBy?: string;
  children: ReactNode;
}

/** A band with the 1120 px column. Text and buttons in it take the colors of its background. */
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
export const onDark = css`
  ${darkSurface}
  color: var(--surface-text);
`;

/** For a card inside a dark band. */
export const onLight = css`
  ${lightSurface}
  color: var(--surface-text);
`;

const backgrounds: Record<SectionTone, string> = {
  plain: token.background,
  tint: token.tint,
  dark: token.primary,
  gradient: token.gradient,
};

const Band = styled.section<{ $tone: SectionTone }>`
  padding-block: ${token.sectionSpace};
  background: ${({ $tone }) => backgrounds[$tone]};
  ${({ $tone }) => ($tone === 'dark' || $tone === 'gradient' ? onDark : null)}
`;

/** The small line above a title. */
export const Eyebrow = styled.p`
  margin-block-end: 0.75rem;
  color: var(--surface-accent);
  font-size: 0.9375rem;
  font-weight: 600;
  letter-spacing: 0.01em;
  line-height: 1.4;
  text-wrap: balance;
`;

/** The headline of a page. */
export const DisplayTitle = styled.h1`
  font-size: ${token.display};
  letter-spacing: -0.03em;
  line-height: 1.05;
`;

/** A section's title. */
export const Title = styled.h2`
  max-inline-size: 15em;
  font-size: clamp(${token.title}, 1.25rem + 2vw, ${token.titleLarge});
  letter-spacing: -0.02em;
  line-height: 1.1;
`;

/** The sentence under a title, at most 68 characters a line. */
export const Lead = styled.p`
  max-inline-size: ${token.measure};
  margin-block-start: 1rem;
  color: var(--surface-muted);
  font-size: ${token.textLarge};
  line-height: 1.6;
`;

/** A white sheet with a soft shadow, light on any background. Use `as` for its element. */
export const Card = styled.div`
  ${onLight}
  min-inline-size: 0;
  padding: 1.5rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.background};
  box-shadow: ${token.shadow};

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
  font-weight: 700;
  letter-spacing: -0.01em;
  line-height: 1.2;
`;

/** Text for screen readers only. */
export const VisuallyHidden = styled.span`
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  margin: -1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
`;
