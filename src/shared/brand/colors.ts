/**
 * The brand's own colors. A provider's hue changes all of them (shared/pages/hueShades.ts). White text on primary and
 * secondary has a contrast of 12.4:1 and 7.1:1. The accent, 4.2:1, is only for large text and shapes.
 */
export const brandColors = {
  primary: '#4b157a',
  secondary: '#7928ca',
  accent: '#b24ae0',
  /** Ground of every other section. */
  tint: '#f7f4fb',
  /** Fine lines on white. */
  line: '#e4dcee',
  /** Border of an input: 3:1 on white (WCAG 1.4.11). */
  inputLine: '#8d8497',
  /** Quiet text: 4.5:1 on white and on the tint. */
  muted: '#5f5a66',
  /** Of shadows, and of the veil behind a dialog. */
  shade: '#280a46',
} as const;
