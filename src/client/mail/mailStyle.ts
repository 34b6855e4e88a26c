import type { CSSProperties } from 'react';
import { tokenValues } from '#client/theme/tokens.ts';

/** Class names for the dark rules. Elements without one keep their colors. */
export const mailClass = {
  ground: 'm-ground',
  text: 'm-text',
  muted: 'm-muted',
  link: 'm-link',
  line: 'm-line',
};

const dark = { ground: '#131117', text: '#f1eef5', muted: '#bdb6c7', line: '#4a4355' } as const;

/** For mail programs with color schemes. `!important` overrides style attributes, which all programs understand. */
export const darkRules = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .${mailClass.ground}, .${mailClass.ground} > table > tbody > tr > td { background-color: ${dark.ground} !important; }
  .${mailClass.text} { color: ${dark.text} !important; }
  .${mailClass.muted} { color: ${dark.muted} !important; }
  .${mailClass.link} { color: ${dark.text} !important; }
  .${mailClass.line} { border-color: ${dark.line} !important; }
}`;

const { background, ink, line, muted } = tokenValues;
const sans = "'Helvetica Neue', Helvetica, Arial, sans-serif";
const serif = "'Source Serif 4', Georgia, 'Times New Roman', serif";
const text = {
  margin: '0 0 12px',
  fontSize: '16px',
  lineHeight: '25px',
  color: ink,
  overflowWrap: 'anywhere',
} as const;
const hairline = `1px solid ${line}`;

/** Mail programs that know no limits take it for the height. */
export const mailLogoHeight = 44;

/** Styles of a message's parts. Mail programs support only style attributes and px. */
export const mailStyle = {
  ground: { margin: 0, backgroundColor: background, fontFamily: sans },
  container: { maxWidth: '600px', margin: '0 auto', padding: '24px 20px 40px' },
  name: { ...text, margin: 0, fontFamily: serif, fontSize: '20px', lineHeight: '28px' },
  /** On white in the dark, too: nobody knows a logo's colors. Its text, where pictures aren't shown, is the name. */
  logo: {
    display: 'block',
    border: 0,
    height: 'auto',
    maxHeight: `${mailLogoHeight}px`,
    maxWidth: '240px',
    padding: '4px',
    backgroundColor: '#ffffff',
    color: ink,
    fontFamily: serif,
    fontSize: '20px',
  },
  head: { borderBottom: hairline, margin: '0 0 16px', padding: '0 0 12px' },
  foot: { borderTop: hairline, margin: '28px 0 0', padding: '16px 0 0' },
  heading: {
    ...text,
    margin: '20px 0 12px',
    fontFamily: serif,
    fontSize: '28px',
    fontWeight: 500,
    lineHeight: '34px',
  },
  title: {
    ...text,
    margin: '28px 0 8px',
    fontFamily: serif,
    fontSize: '20px',
    fontWeight: 500,
    lineHeight: '26px',
  },
  text,
  track: { ...text, margin: '16px 0', padding: '12px 0', borderTop: hairline, borderBottom: hairline },
  muted: { ...text, margin: '0 0 8px', fontSize: '14px', lineHeight: '21px', color: muted },
  quote: { ...text, margin: '0 0 8px', padding: '4px 0 4px 14px', borderLeft: `3px solid ${line}` },
  fact: { ...text, margin: '0 0 4px' },
  link: { textDecoration: 'underline' },
  button: {
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
  /** A row that a finger hits. */
  row: { display: 'block', padding: '11px 0', fontSize: '16px', lineHeight: '22px' },
} as const satisfies Record<string, CSSProperties>;
