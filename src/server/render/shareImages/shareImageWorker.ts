import { parentPort } from 'node:worker_threads';
import type { Drawing } from './shareImages.ts';
import { drawMailLogo } from './drawMailLogo.ts';
import { drawShareImage } from './drawShareImage.ts';

export interface PaintOrder {
  number: number;
  image: Drawing;
}

export type PaintResult = { number: number; png: Uint8Array } | { number: number; png: null; reason: string };

async function paint({ number, image }: PaintOrder): Promise<PaintResult> {
  try {
    return { number, png: image === 'mail-logo' ? drawMailLogo() : await drawShareImage(image) };
  } catch (error) {
    return { number, png: null, reason: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (order: PaintOrder) => {
  void paint(order).then((result) => parentPort?.postMessage(result));
});
