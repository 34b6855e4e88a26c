import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { AppError } from '#server/errors.ts';
import type { PaintOrder, PaintResult } from './paintWorker.ts';

/** Maximum number of waiting pictures. Above it, callers are asked to try again. */
const waitingMax = 32;
/** A thread uses about 60 MB for fonts and WebAssembly, so an idle one is terminated. */
const idleMs = 60_000;
/** Starting takes a quarter of a second, but longer on a busy machine. */
const startMs = 60_000;
/** A memory limit, so that one picture cannot crash the process. renderSvg.ts has that of WebAssembly. */
const resourceLimits = { maxOldGenerationSizeMb: 128 };

/**
 * Draws a picture in its own thread. Throws SERVICE_UNAVAILABLE if too many wait, and for a picture above time and
 * memory.
 */
export type Paint = (order: PaintOrder) => Promise<Buffer>;

interface PainterOptions {
  /** The limit of time. A picture takes a tenth of a second, but longer on a busy machine. */
  paintMs?: number;
}

/**
 * One thread, started by the first picture and replaced after one that broke it. It does not keep the process alive.
 */
export function createPainter({ paintMs = 5_000 }: PainterOptions = {}): Paint {
  const inTurn = pLimit(1);
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;

  async function start(): Promise<Worker> {
    const started = new Worker(new URL('./paintWorker.ts', import.meta.url), { resourceLimits });
    started.unref();
    started.on('exit', () => {
      if (thread === started) thread = null;
    });
    // An error also rejects what waits for a message. Without a listener, an error of an idle thread would end the
    // process.
    started.on('error', () => undefined);
    thread = started;
    await once(started, 'message', { signal: AbortSignal.timeout(startMs) });
    return started;
  }

  function endThread(): void {
    void thread?.terminate();
    thread = null;
  }

  async function ask(order: PaintOrder): Promise<PaintResult> {
    try {
      const asked = thread ?? (await start());
      const answer = once(asked, 'message', { signal: AbortSignal.timeout(paintMs) });
      asked.postMessage(order);
      const [result]: PaintResult[] = await answer;
      return result ?? { reason: 'no answer' };
    } catch (error) {
      endThread();
      throw new Error('a picture takes too much time or memory', { cause: error });
    }
  }

  async function paint(order: PaintOrder): Promise<Buffer> {
    clearTimeout(idle);
    try {
      const result = await ask(order);
      if ('picture' in result) return Buffer.from(result.picture);
      throw new Error(`a picture cannot be drawn: ${result.reason}`);
    } finally {
      idle = setTimeout(endThread, idleMs).unref();
    }
  }

  return async (order) => {
    if (inTurn.pendingCount >= waitingMax)
      throw new AppError('SERVICE_UNAVAILABLE', 'Too many pictures are being drawn. Please try again.', {
        retryAfterSeconds: 5,
      });
    return inTurn(() => paint(order));
  };
}
