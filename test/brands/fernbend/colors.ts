/**
 * The brand's own colours; a clinic's hue turns all of them (shared/pages/hueShades.ts). White text stands on primary
 * and secondary: contrast 10.2:1 and 6.1:1. The accent, 3.8:1, carries large text and shapes alone.
 */
export const brandColors = {
  primary: '#0b4a3f',
  secondary: '#136f5c',
  accent: '#1f9478',
  /** Ground of every other section. */
  tint: '#f2f8f6',
  /** Fine lines on white. */
  line: '#d3e5df',
  /** Edge of an input: 3:1 on white, as WCAG 1.4.11 asks of controls. */
  inputLine: '#7c918b',
  /** Quiet text: 4.5:1 on white and on the tint. */
  muted: '#53625e',
  /** Of shadows, and of the veil behind a dialog. */
  shade: '#06251f',
} as const;
