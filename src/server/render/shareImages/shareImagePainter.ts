import { Worker } from 'node:worker_threads';
import { AppError } from '#server/errors.ts';
import type { Drawing } from './shareImages.ts';
import type { PaintOrder, PaintResult } from './shareImageWorker.ts';

/** Maximum number of waiting images. Above it, callers are asked to try again. */
const waitingMax = 32;
/** A worker uses about 60 MB for fonts and WebAssembly, so an idle one is terminated. */
const idleMs = 60_000;
/** A memory limit, so that one image cannot crash the process. */
const resourceLimits = { maxOldGenerationSizeMb: 128 };

/** Draws an image as PNG in a thread of its own. Throws SERVICE_UNAVAILABLE if too many wait. */
export type PaintShareImage = (image: Drawing) => Promise<Buffer>;

/** One thread for the process, started by the first image. It does not keep the process alive. */
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
    // Before terminate(): an order sent to a terminating thread would wait forever.
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
