import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { createLocalLimiter, type LocalLimits } from '#server/security/localLimiter.ts';
import type { Paint } from './painter.ts';
import type { createShareImageStore } from './shareImageStore.ts';
import type { PaintOrder } from './paintWorker.ts';

interface DrawnPicturesDeps {
  paint: Paint;
  /** Stores PNGs outside this process's memory, by content tag. Null: they are quick to draw, or no PNGs. */
  store: ReturnType<typeof createShareImageStore> | null;
  log: Log;
  limits?: LocalLimits;
}

const bytesMax = 16 * 1024 * 1024;
/**
 * A drawing uses a core for about 50 ms and is then stored on disk. A service that shows previews requests a few images
 * within a minute. All networks together may use a sixth of a core.
 */
const drawingLimits: LocalLimits = { points: 20, windowSeconds: 60, totalPoints: 180 };

/** A map cut uses a core for 4 ms. All networks together may use a tenth of a core. */
export const plateLimits: LocalLimits = { points: 120, windowSeconds: 60, totalPoints: 1_500 };

/** For a client whose picture is not available now. */
export function tooManyPictures(): AppError {
  return new AppError('TOO_MANY_REQUESTS', 'Too many pictures. Please try again in a minute.', {
    retryAfterSeconds: 60,
  });
}

/** Thrown if a network, or all networks together, requested too many drawings. */
class TooManyDrawings extends Error {}

/** Identifies what a picture shows. `drawnFrom` changes with everything else that it is drawn from. */
export function contentTag(drawnFrom: string, order: PaintOrder): string {
  return createHash('sha256')
    .update(JSON.stringify([drawnFrom, order]))
    .digest('base64url')
    .slice(0, 32);
}

export type DrawnPictures = ReturnType<typeof createDrawnPictures>;

/** Our own pictures: drawn once, stored on disk if there is a store, and cached in memory with a byte limit. */
export function createDrawnPictures({ paint, store, log, limits = drawingLimits }: DrawnPicturesDeps) {
  const drawings = createLocalLimiter(limits);
  const kept = new LRUCache<string, Buffer, { order: PaintOrder; ip: string | null }>({
    maxSize: bytesMax,
    sizeCalculation: (png) => png.length + 256,
    fetchMethod: async (tag, _stale, { context: { order, ip } }) => {
      const stored = await store?.find(tag);
      if (stored) return stored;
      if (ip !== null && (await drawings.take(ip)) !== null) throw new TooManyDrawings();
      const png = await paint(order);
      await store?.put(tag, png);
      return png;
    },
  });

  return {
    /**
     * A picture by its tag, drawn if it is not stored. `ip` is that of the client whose drawings are limited. With it, a
     * picture that is not available now is null; without it, the picture is drawn for everyone and errors are thrown.
     */
    async get(tag: string, order: PaintOrder, ip: string | null): Promise<Buffer | null> {
      try {
        return (await kept.fetch(tag, { context: { order, ip } })) ?? null;
      } catch (error) {
        if (ip === null) throw error;
        if (!(error instanceof TooManyDrawings))
          log.warn(
            { event: 'share-image.draw-failed', err: error },
            'a share image, map cut or icon could not be drawn',
          );
        return null;
      }
    },
  };
}
