import { brandColors } from '#shared/brand/colors.ts';
import { serifFamily } from './fonts.ts';

/**
 * Colors and sizes. Components use `token.*`, which are CSS custom properties set on :root (GlobalStyle.ts). A
 * provider's hue overrides them there, so the same cached HTML and styles serve every provider.
 */
export const tokenValues = {
  ...brandColors,
  background: '#ffffff',
  foreground: '#333333',
  success: '#1a7f37',
  warning: '#8a5a00',
  danger: '#b3261e',
  serif: serifFamily,
  radius: '4px',
  pill: '999px',
  contentWidth: '1120px',
  /** About 68 characters of text. In em: the width of a zero (ch) changes when the font arrives. */
  measure: '31.5em',
  /** 36 px on a phone, 80 px on a desktop. */
  sectionSpace: 'clamp(2.25rem, 0.95rem + 5.79vw, 5rem)',
  note: '0.8125rem',
  text: '1rem',
  textLarge: '1.125rem',
  titleSmall: '1.375rem',
  title: '1.75rem',
  /** 32 px on a phone, 44 px on a desktop. */
  titleLarge: 'clamp(2rem, 1.6rem + 1.8vw, 2.75rem)',
  /** 40 px on a phone, 72 px on a desktop. */
  display: 'clamp(2.5rem, 1.4rem + 4.85vw, 4.5rem)',
  /** A figure that a drawing belongs to: 56 px on a phone, 80 px on a desktop. */
  figure: 'clamp(3.5rem, 2.95rem + 2.4vw, 5rem)',
  transition: '0.45s cubic-bezier(0.22, 0.61, 0.36, 1)',
} as const;

type TokenName = keyof typeof tokenValues;

export function variableName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `var(--name)` for each token, for use in styled-components. */
export const token = Object.fromEntries(
  Object.keys(tokenValues).map((name) => [name, `var(${variableName(name)})`]),
) as Record<TokenName, string>;

/** The declarations for :root. */
export const tokenDeclarations = Object.entries(tokenValues)
  .map(([name, value]) => `${variableName(name)}: ${value};`)
  .join('\n');

/** Hides what only works with scripts where they don't run. */
export const needsScripts = '@media (scripting: none) { display: none; }';

/** Hides what paper has no use for. */
export const notPrinted = '@media print { display: none; }';

/** For what only scripts move the focus to. */
export const noFocusRing = '&:focus { outline: none; }';

/** Widths at which a layout changes; phones first. */
export const media = {
  tablet: '@media (min-width: 48em)',
  desktop: '@media (min-width: 64em)',
  /** A phone on its side, or a page zoomed to 400 %: a header that stays would take a quarter of the window. */
  low: '@media (max-height: 30em)',
  /** A finger needs more room than a mouse. */
  touch: '@media (pointer: coarse)',
  reducedMotion: '@media (prefers-reduced-motion: reduce)',
} as const;

/** The colors of content on a light background, such as the page's own. */
export const lightSurface = `
  --surface-text: ${token.foreground};
  --surface-heading: ${token.ink};
  --surface-muted: ${token.muted};
  --surface-link: ${token.primary};
  --surface-line: ${token.line};
  --surface-danger: ${token.danger};
  --surface-accent: ${token.muted};
  --action: ${token.primary};
  --action-text: #ffffff;
  --action-hover: ${token.secondary};
  --focus: ${token.secondary};
`;

/** The same for a dark background. */
export const darkSurface = `
  --surface-text: rgb(255 255 255 / 0.9);
  --surface-heading: #ffffff;
  --surface-muted: rgb(255 255 255 / 0.78);
  --surface-link: #ffffff;
  --surface-line: rgb(255 255 255 / 0.22);
  --surface-danger: #ffd9d6;
  --surface-accent: #ffffff;
  --action: #ffffff;
  --action-text: ${token.primary};
  --action-hover: ${token.line};
  --focus: #ffffff;
`;
