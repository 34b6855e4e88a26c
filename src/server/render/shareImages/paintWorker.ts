import { parentPort } from 'node:worker_threads';
import { brandColors } from '#shared/brand/colors.ts';
import { mailLogoSize, type Plate, type ShareImage } from '#shared/shareImages/shareImage.ts';
import { renderPlate } from './renderPlate.ts';
import { renderShareImage } from './renderShareImage.ts';
import { logoSvg, renderProviderSvg, renderSvg } from './renderSvg.ts';
import { brandIconSvg, iconColor, iconSvg, type SiteIcon } from './siteIcon.ts';

/** A shared link's image, the logo above messages, a provider's own SVG, a map cut, or the square icon of a site. */
export type PaintOrder =
  ShareImage | 'mail-logo' | { providerSvg: Uint8Array } | { plate: Plate } | IconOrder;

interface IconOrder {
  icon: SiteIcon | 'brand';
  /** Pixels each way. */
  size: number;
}

/** A PNG; of a map cut, an SVG. */
export type PaintResult = { picture: Uint8Array } | { reason: string };

async function paint(order: PaintOrder): Promise<Uint8Array> {
  if (order === 'mail-logo') return renderMailLogo();
  if ('providerSvg' in order) return renderProviderSvg(order.providerSvg);
  if ('plate' in order) return new TextEncoder().encode(renderPlate(order.plate));
  if ('icon' in order) return renderIcon(order);
  return renderShareImage(order);
}

/** Out of memory or stack: what the module did is half done, so the thread ends. Errors of Node's own have a code. */
function isBroken(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || (error instanceof RangeError && !('code' in error));
}

const reasonMax = 200;

async function answer(order: PaintOrder): Promise<PaintResult> {
  try {
    return { picture: await paint(order) };
  } catch (error) {
    if (isBroken(error)) throw error;
    return { reason: (error instanceof Error ? error.message : String(error)).slice(0, reasonMax) };
  }
}

/** A letter in a script that the typeface lacks looks like this one. */
const unknownLetter = '\u{10fffd}';

function hasGlyphs(text: string): boolean {
  const draw = (letter: string): string =>
    Buffer.from(renderSvg(iconSvg({ letter, hue: null }))).toString('latin1');
  return Array.from(text).every((letter) => draw(letter) !== draw(unknownLetter));
}

/** Fills the corners: a phone cuts its own. */
function renderIcon({ icon, size }: IconOrder): Uint8Array {
  const fit = () => ({ mode: 'width', value: size }) as const;
  if (icon === 'brand') return renderSvg(brandIconSvg, { fit, background: iconColor(null) });
  const letter = icon.letter === null || !hasGlyphs(icon.letter) ? null : icon.letter;
  return renderSvg(iconSvg({ ...icon, letter }), { fit, background: iconColor(icon.hue) });
}

/** The wordmark in white on the brand's color, as PNG at twice its size, for the head of messages. */
function renderMailLogo(): Uint8Array {
  const [width, height] = [mailLogoSize.width * 2, mailLogoSize.height * 2];
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" fill="${brandColors.primary}"/>`,
    logoSvg({ x: 0, y: 0, width, height, color: '#ffffff' }),
    '</svg>',
  ].join('');
  return renderSvg(svg);
}

parentPort?.on('message', (order: PaintOrder) => {
  void answer(order).then((result) => parentPort?.postMessage(result));
});
parentPort?.postMessage('ready');
