import { parentPort } from 'node:worker_threads';
import { wordmark } from '#shared/brand/brand.ts';
import { brandColors } from '#shared/brand/colors.ts';
import { mailLogoSize } from '#shared/shareImages/mailLogo.ts';
import type { ShareImage } from '#shared/shareImages/shareImage.ts';
import { drawShareImage } from './drawShareImage.ts';
import { renderProviderSvg, renderSvg } from './renderSvg.ts';

/** A shared link's image, the logo above messages, a provider's own SVG, or a square icon of ours. */
export type PaintOrder =
  ShareImage | 'mail-logo' | { providerSvg: Uint8Array } | { icon: string; size: number };

export type PaintResult = { png: Uint8Array } | { reason: string };

async function paint(order: PaintOrder): Promise<Uint8Array> {
  if (order === 'mail-logo') return drawMailLogo();
  if ('providerSvg' in order) return renderProviderSvg(order.providerSvg);
  if ('icon' in order) return renderSvg(order.icon, () => ({ mode: 'width', value: order.size }));
  return drawShareImage(order);
}

/** Out of memory or stack: what the module did is half done, so the thread ends. Errors of Node's own have a code. */
function isBroken(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || (error instanceof RangeError && !('code' in error));
}

const reasonMax = 200;

async function answer(order: PaintOrder): Promise<PaintResult> {
  try {
    return { png: await paint(order) };
  } catch (error) {
    if (isBroken(error)) throw error;
    return { reason: (error instanceof Error ? error.message : String(error)).slice(0, reasonMax) };
  }
}

/** The wordmark in white on the brand's color, as PNG at twice its size, for the head of messages. */
function drawMailLogo(): Uint8Array {
  const { width, height } = mailLogoSize;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width * 2}" height="${height * 2}">`,
    `<rect width="100%" height="100%" fill="${brandColors.primary}"/>`,
    `<svg width="${width * 2}" height="${height * 2}" viewBox="${wordmark.viewBox}" preserveAspectRatio="xMinYMid meet" fill="#ffffff">`,
    `<path d="${wordmark.letters}"/><path d="${wordmark.registered}" opacity="0.75"/>`,
    `<path d="${wordmark.dimensionLine}" fill="none" stroke="#ffffff" stroke-width="2.6" stroke-linecap="round"/></svg></svg>`,
  ].join('');
  return renderSvg(svg);
}

parentPort?.on('message', (order: PaintOrder) => {
  void answer(order).then((result) => parentPort?.postMessage(result));
});
parentPort?.postMessage('ready');
