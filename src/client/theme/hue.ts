import type { Shade } from '#shared/pages/hueShades.ts';

/** The CSS colour of a shade at the hue that the server writes on the root element as `--hue`. */
export function atTenantHue({ lightness, chroma }: Shade): string {
  return `oklch(${lightness} ${chroma} var(--hue))`;
}
