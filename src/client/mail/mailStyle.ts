import type { CSSProperties } from 'react';
import { tokenValues } from '#client/theme/tokens.ts';

/** Class names for the dark rules. Elements without one keep their colors. */
export const mailClass = {
  ground: 'm-ground',
  card: 'm-card',
  text: 'm-text',
  muted: 'm-muted',
  link: 'm-link',
  quiet: 'm-quiet',
};

const dark = { ground: '#131117', card: '#1e1b24', text: '#f1eef5', muted: '#bdb6c7' } as const;

/** For mail programs with color schemes. `!important` overrides style attributes, which all programs understand. */
export const darkRules = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .${mailClass.ground}, .${mailClass.ground} > table > tbody > tr > td { background-color: ${dark.ground} !important; }
  .${mailClass.card} { background-color: ${dark.card} !important; border-color: ${dark.card} !important; }
  .${mailClass.text} { color: ${dark.text} !important; }
  .${mailClass.muted} { color: ${dark.muted} !important; }
  .${mailClass.link} { color: ${dark.text} !important; }
  .${mailClass.quiet} { background-color: ${dark.card} !important; border-color: ${dark.muted} !important; color: ${dark.text} !important; }
}`;

const { primary, secondary, tint, line, muted, foreground } = tokenValues;
const font = "'Helvetica Neue', Helvetica, Arial, sans-serif";

/** Styles of a message's parts. Mail programs support only style attributes and px. */
export const mailStyle = {
  ground: { margin: 0, backgroundColor: tint, fontFamily: font },
  container: { maxWidth: '600px', margin: '0 auto', padding: '16px 12px 32px' },
  band: { backgroundColor: primary, borderRadius: '12px 12px 0 0', padding: '20px 24px' },
  card: {
    backgroundColor: '#ffffff',
    border: `1px solid ${line}`,
    borderTop: 'none',
    borderRadius: '0 0 12px 12px',
    padding: '24px',
  },
  logo: { display: 'block', border: 0 },
  heading: {
    margin: '0 0 12px',
    fontSize: '24px',
    lineHeight: '30px',
    color: primary,
    overflowWrap: 'anywhere',
  },
  title: { margin: '28px 0 8px', fontSize: '18px', lineHeight: '24px', color: primary },
  text: {
    margin: '0 0 12px',
    fontSize: '16px',
    lineHeight: '25px',
    color: foreground,
    overflowWrap: 'anywhere',
  },
  muted: { margin: '0 0 8px', fontSize: '14px', lineHeight: '21px', color: muted, overflowWrap: 'anywhere' },
  quote: {
    margin: '0 0 8px',
    padding: '4px 0 4px 14px',
    borderLeft: `3px solid ${line}`,
    fontSize: '16px',
    lineHeight: '25px',
    color: foreground,
    overflowWrap: 'anywhere',
  },
  link: { color: secondary, textDecoration: 'underline' },
  button: {
    backgroundColor: primary,
    borderRadius: '999px',
    color: '#ffffff',
    display: 'inline-block',
    fontSize: '18px',
    fontWeight: 700,
    lineHeight: '24px',
    padding: '14px 28px',
    textDecoration: 'none',
  },
  /** Side by side where there is room. */
  besideOthers: { display: 'inline-block' },
  quietButton: {
    backgroundColor: '#ffffff',
    border: `1px solid ${secondary}`,
    borderRadius: '999px',
    color: secondary,
    display: 'inline-block',
    fontSize: '15px',
    lineHeight: '20px',
    margin: '0 8px 10px 0',
    padding: '11px 18px',
    textDecoration: 'none',
  },
} as const satisfies Record<string, CSSProperties>;
