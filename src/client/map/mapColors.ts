/** The page's colours as the map's shaders take them; a clinic's hue comes along (theme/tokens.ts). */
export interface MapColours {
  land: string;
  border: string;
  coast: string;
  name: string;
  halo: string;
  cluster: string;
  clusterText: string;
}

/** Works out a CSS colour, custom properties and mixes included, to `rgb()`. */
export function resolveColour(colour: string): string {
  const probe = document.createElement('i');
  probe.style.color = colour;
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

/** The ground's tones: so much of the secondary colour in white. */
export function tint(percent: number): string {
  return resolveColour(`color-mix(in srgb, var(--secondary) ${percent}%, #ffffff)`);
}

export function mapColours(): MapColours {
  return {
    land: tint(2),
    border: tint(26),
    coast: tint(42),
    name: resolveColour('color-mix(in srgb, var(--primary) 72%, #ffffff)'),
    halo: tint(2),
    cluster: resolveColour('var(--primary)'),
    clusterText: 'rgb(255,255,255)',
  };
}
