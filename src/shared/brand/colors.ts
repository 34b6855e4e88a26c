/** The brand's own colours; a clinic's hue turns all of them (shared/hueShades.ts). */
export const brandColors = {
  primary: '#4b157a',
  secondary: '#7928ca',
  accent: '#b24ae0',
} as const;
