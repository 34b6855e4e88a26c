/** The page's colors in the format of the map's shaders, with the provider's hue (theme/tokens.ts). */
export interface MapColors {
  land: string;
  border: string;
  coast: string;
  name: string;
  halo: string;
  cluster: string;
  clusterText: string;
}

/** Resolves a CSS color, with custom properties and mixes, to `rgb()`. */
export function resolveColor(color: string): string {
  const probe = document.createElement('i');
  probe.style.color = color;
  document.body.append(probe);
  const computed = getComputedStyle(probe).color;
  probe.remove();
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d');
  if (context === null) return computed;
  context.fillStyle = computed;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${red},${green},${blue})`;
}

/** The basemap's tones: the share of the secondary color in white. */
export function tint(percent: number): string {
  return resolveColor(`color-mix(in srgb, var(--secondary) ${percent}%, #ffffff)`);
}

export function mapColors(): MapColors {
  return {
    land: tint(2),
    border: tint(26),
    coast: tint(42),
    name: resolveColor('color-mix(in srgb, var(--primary) 72%, #ffffff)'),
    halo: tint(2),
    cluster: resolveColor('var(--primary)'),
    clusterText: 'rgb(255,255,255)',
  };
}
