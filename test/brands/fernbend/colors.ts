/**
 * The brand's own colors. A provider's hue changes all of them (shared/pages/hueShades.ts). White text on primary and
 * secondary has a contrast of 10.2:1 and 6.1:1. The accent, 3.8:1, is only for the gained part of a
 * span. Primary is only for what can be pressed.
 */
export const brandColors = {
  primary: '#0b4a3f',
  secondary: '#136f5c',
  accent: '#1f9478',
  /** Ground of a pressed or chosen thing. */
  tint: '#f2f8f6',
  /** Fine lines on white. */
  line: '#d3e5df',
  /** Border of an input: 3:1 on white (WCAG 1.4.11). */
  inputLine: '#7c918b',
  /** Quiet text: 4.5:1 on white and on the tint. */
  muted: '#53625e',
  /** Text, headings and drawn lines. */
  ink: '#06251f',
} as const;
