import { Resvg } from '@resvg/resvg-js';
import { wordmark } from '#shared/brand/brand.ts';
import { brandColors } from '#shared/brand/colors.ts';
import { mailLogoSize } from '#shared/shareImages/mailLogo.ts';

/** The wordmark in white on the brand's ground, as PNG at twice its size: a message's head, on any screen. */
export function drawMailLogo(): Uint8Array {
  const { width, height } = mailLogoSize;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width * 2}" height="${height * 2}">`,
    `<rect width="100%" height="100%" fill="${brandColors.primary}"/>`,
    `<svg width="${width * 2}" height="${height * 2}" viewBox="${wordmark.viewBox}" preserveAspectRatio="xMinYMid meet" fill="#ffffff">`,
    `<path d="${wordmark.letters}"/><path d="${wordmark.registered}" opacity="0.75"/>`,
    `<path d="${wordmark.dimensionLine}" fill="none" stroke="#ffffff" stroke-width="2.6" stroke-linecap="round"/></svg></svg>`,
  ].join('');
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
}
