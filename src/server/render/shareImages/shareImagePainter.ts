import { Worker } from 'node:worker_threads';
import { AppError } from '#server/errors.ts';
import type { Drawing } from './shareImages.ts';
import type { PaintOrder, PaintResult } from './shareImageWorker.ts';

/** More than these waiting is a flood; whoever comes then is asked to come again. */
const waitingMax = 32;
/** A worker holds fonts and WebAssembly, some 60 MB: let go when nobody shares anything. */
const idleMs = 60_000;
/** Of memory, so that one picture can't take the process along. */
const resourceLimits = { maxOldGenerationSizeMb: 128 };

/** Draws a picture as PNG in a thread of its own. Throws SERVICE_UNAVAILABLE when too many wait. */
export type PaintShareImage = (image: Drawing) => Promise<Buffer>;

/** One thread for the process, started with the first picture and never in the way of its end. */
export function createShareImagePainter(): PaintShareImage {
  const waiting = new Map<number, PromiseWithResolvers<Buffer>>();
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let count = 0;

  function settle(result: PaintResult): void {
    const order = waiting.get(result.number);
    waiting.delete(result.number);
    if (result.png === null) order?.reject(new Error(`a share image could not be drawn: ${result.reason}`));
    else order?.resolve(Buffer.from(result.png));
    if (waiting.size === 0) idle = setTimeout(letGo, idleMs).unref();
  }

  function letGo(): void {
    const idler = worker;
    // At once: an order given to a thread that is ending would wait for ever.
    worker = null;
    void idler?.terminate();
  }

  function start(): Worker {
    const started = new Worker(new URL('./shareImageWorker.ts', import.meta.url), { resourceLimits });
    started.unref();
    started.on('message', settle);
    started.on('error', (error) => {
      for (const order of waiting.values()) order.reject(error);
      waiting.clear();
    });
    started.on('exit', () => {
      if (worker === started) worker = null;
    });
    return started;
  }

  return (image) => {
    if (waiting.size >= waitingMax)
      throw new AppError('SERVICE_UNAVAILABLE', 'Too many pictures are being drawn. Please try again.', {
        retryAfterSeconds: 5,
      });
    clearTimeout(idle);
    worker ??= start();
    count += 1;
    const order: PaintOrder = { number: count, image };
    const result = Promise.withResolvers<Buffer>();
    waiting.set(count, result);
    worker.postMessage(order);
    return result.promise;
  };
}
