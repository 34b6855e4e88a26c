/**
 * Inline SVG as an image URL. Escapes only the characters that a URL or an HTML attribute needs escaped, which keeps it
 * short and readable.
 */
function svgUrl(width: number, height: number, content: string): string {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${width} ${height}' width='${width}' height='${height}'>${content}</svg>`;
  return `data:image/svg+xml,${svg.replace(/[%#<>"\s]|[^\0-~]/g, encodeURIComponent)}`;
}

/** A color of the provider's hue (degrees in OKLCH, like the site's theme). */
const shade = (lightness: number, chroma: number, hue: number) => `oklch(${lightness} ${chroma} ${hue})`;

interface MarkColors {
  strong: string;
  light: string;
  initial: string;
}

/** Marks on a field of 48 by 48. */
const marks: readonly ((colors: MarkColors) => string)[] = [
  // Measuring arcs.
  ({ strong, light }) =>
    `<g fill='none' stroke='${strong}' stroke-width='5' stroke-linecap='round'><path d='M6 42A36 36 0 0 1 42 6'/><path d='M18 42A24 24 0 0 1 42 18' stroke='${light}'/></g><circle cx='39' cy='39' r='6' fill='${strong}'/>`,
  // A leaf.
  ({ strong, light }) =>
    `<path d='M24 45C5 36 6 14 24 3C42 14 43 36 24 45Z' fill='${light}'/><path d='M24 45V17M24 29l8-8M24 37l-9-9' fill='none' stroke='${strong}' stroke-width='3' stroke-linecap='round'/>`,
  // Peaks and a sun.
  ({ strong, light }) =>
    `<circle cx='35' cy='13' r='7' fill='${light}'/><path d='M2 42L18 14l9 15 5-7 14 20z' fill='${strong}'/>`,
  // Two circles that share a lens.
  ({ strong, light }) =>
    `<circle cx='31' cy='24' r='15' fill='${light}'/><circle cx='17' cy='24' r='15' fill='${strong}' fill-opacity='.86'/>`,
  // A honeycomb cell.
  ({ strong, light }) =>
    `<path d='M24 2l19 11v22L24 46 5 35V13z' fill='${strong}'/><path d='M24 13l9.5 5.5v11L24 35l-9.5-5.5v-11z' fill='${light}'/>`,
  // A shield.
  ({ strong, light }) =>
    `<path d='M24 3c6 4 12 5 18 5 0 19-5 30-18 37C11 38 6 27 6 8c6 0 12-1 18-5z' fill='${strong}'/><path d='M24 16v16M16 24h16' stroke='${light}' stroke-width='5' stroke-linecap='round'/>`,
  // Water.
  ({ strong, light }) =>
    `<g fill='none' stroke='${strong}' stroke-width='5' stroke-linecap='round'><path d='M4 13q10-10 20 0t20 0'/><path d='M4 26q10-10 20 0t20 0' stroke='${light}'/><path d='M4 39q10-10 20 0t20 0'/></g>`,
  // A cut stone.
  ({ strong, light }) =>
    `<path d='M24 3l21 18-21 24L3 21z' fill='${light}'/><path d='M24 3l9 18-9 24-9-24z' fill='${strong}'/>`,
  // The initial.
  ({ strong, light, initial }) =>
    `<rect x='2' y='2' width='44' height='44' rx='13' fill='${strong}'/><text x='24' y='33' font-family='Georgia,serif' font-size='27' text-anchor='middle' fill='white'>${initial}</text><circle cx='38' cy='10' r='3' fill='${light}'/>`,
  // An open ring.
  ({ strong, light }) =>
    `<circle cx='24' cy='24' r='18' fill='none' stroke='${strong}' stroke-width='7' stroke-linecap='round' stroke-dasharray='84 30' transform='rotate(-18 24 24)'/><circle cx='38' cy='11' r='5' fill='${light}'/>`,
];

export interface LogoSettings {
  /** First line. */
  name: string;
  /** Second line, small and spaced. */
  kind: string;
  /** Degrees, OKLCH. */
  hue: number;
  /** Any integer; the marks repeat. */
  mark: number;
}

/**
 * The width in ems of bold text in the widest common sans-serif font (DejaVu Sans), so that no visitor's font is cut
 * off.
 */
function widthEm(text: string): number {
  let width = 0;
  for (const letter of text) width += /[iljtfrI ]/.test(letter) ? 0.46 : /[mwMW&]/.test(letter) ? 1.05 : 0.74;
  return width;
}

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '’');

/** A provider's logo for a white background: a mark and the name in the visitor's sans-serif font. Under 1.2 kB. */
export function logoDataUrl({ name, kind, hue, mark }: LogoSettings): string {
  const colors = {
    strong: shade(0.42, 0.14, hue),
    light: shade(0.74, 0.13, hue),
    initial: name.slice(0, 1),
  };
  const width = Math.ceil(66 + Math.max(widthEm(name) * 21, kind.length * 10.2));
  const text = `<g font-family='system-ui,sans-serif'><text x='60' y='25' font-size='21' font-weight='600' fill='${shade(0.3, 0.08, hue)}'>${escapeText(name)}</text><text x='61' y='41' font-size='11' letter-spacing='2' fill='${shade(0.47, 0.02, hue)}'>${escapeText(kind.toUpperCase())}</text></g>`;
  return svgUrl(width, 48, (marks[mark % marks.length]?.(colors) ?? '') + text);
}

interface SceneColors {
  pale: string;
  middle: string;
  strong: string;
}

/** Simple pictures on a field of 320 by 200. */
const scenes: readonly ((colors: SceneColors) => string)[] = [
  // A building.
  ({ middle, strong }) =>
    `<path d='M0 168h320v32H0z' fill='${middle}'/><path d='M70 70h180v98H70z' fill='white'/><path d='M62 56h196v16H62z' fill='${strong}'/><path d='M142 104h36v64h-36z' fill='${strong}'/><g fill='${middle}'><path d='M88 92h38v34H88zM194 92h38v34h-38z'/><circle cx='40' cy='138' r='22'/><circle cx='284' cy='144' r='18'/></g>`,
  // Arcs.
  ({ middle, strong }) =>
    `<g fill='none' stroke='${middle}' stroke-width='10'><circle cx='160' cy='200' r='150'/><circle cx='160' cy='200' r='116'/><circle cx='160' cy='200' r='82' stroke='${strong}'/></g><circle cx='160' cy='200' r='46' fill='${strong}'/>`,
  // Hills.
  ({ middle, strong }) =>
    `<circle cx='226' cy='66' r='30' fill='white'/><path d='M0 140q70-62 150-12t170-20v92H0z' fill='${middle}'/><path d='M0 172q90-44 170-10t150-6v44H0z' fill='${strong}'/>`,
  // A doorway.
  ({ middle, strong }) =>
    `<path d='M96 200V96a64 64 0 0 1 128 0v104z' fill='${middle}'/><path d='M116 200V100a44 44 0 0 1 88 0v100z' fill='white'/><path d='M160 56a44 44 0 0 1 44 44v100h-44z' fill='${strong}'/><circle cx='172' cy='140' r='4' fill='white'/>`,
];

/** A picture for a provider's card, in its hue. Under 1.2 kB. */
export function pictureDataUrl(hue: number, scene: number): string {
  const colors = {
    pale: shade(0.96, 0.018, hue),
    middle: shade(0.87, 0.05, hue),
    strong: shade(0.56, 0.12, hue),
  };
  return svgUrl(
    320,
    200,
    `<path d='M0 0h320v200H0z' fill='${colors.pale}'/>${scenes[scene % scenes.length]?.(colors) ?? ''}`,
  );
}
