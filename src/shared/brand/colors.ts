/**
 * The brand's own colors. A provider's hue changes all of them (shared/pages/hueShades.ts). White text on primary and
 * secondary has a contrast of 12.4:1 and 7.1:1. The accent, 4.2:1, is only for the gained part of a
 * span. Primary is only for what can be pressed.
 */
export const brandColors = {
  primary: '#4b157a',
  secondary: '#7928ca',
  accent: '#b24ae0',
  /** Ground of a pressed or chosen thing. */
  tint: '#f7f4fb',
  /** Fine lines on white. */
  line: '#ded6ea',
  /** Border of an input: 3:1 on white (WCAG 1.4.11). */
  inputLine: '#8b7f9b',
  /** Quiet text: 4.5:1 on white and on the tint. */
  muted: '#5c5068',
  /** Text, headings and drawn lines. */
  ink: '#1b1024',
} as const;
