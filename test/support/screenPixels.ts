import type { Page } from 'playwright';

/** A part of the page, in CSS pixels. */
export interface Clip {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The color of each pixel in a part of the page, as `r,g,b`. */
export async function screenPixels(page: Page, clip: Clip): Promise<string[]> {
  const picture = (await page.screenshot({ clip })).toString('base64');
  return page.evaluate(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: image.width, height: image.height });
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const values = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    const pixels: string[] = [];
    for (let at = 0; at < values.length; at += 4) pixels.push(values.slice(at, at + 3).join());
    return pixels;
  }, `data:image/png;base64,${picture}`);
}
