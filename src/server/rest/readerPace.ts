import type { ServerResponse } from 'node:http';

export interface ReaderPace {
  /** Milliseconds that a reader may keep us waiting in all, beyond what its bytes take at the least pace. */
  waitMsMax: number;
  /** The least pace: bytes in a second. */
  bytesPerSecondMin: number;
  /** Milliseconds from the first byte to the last, however fast it reads. */
  totalMsMax: number;
  /** How often the reader is looked at. */
  checkEveryMs: number;
}

/**
 * Cuts the connection of a reader who holds what is sent to it for too long: one who stops, one who takes a few bytes now and then, and one who is
 * not done in time. Time in which the reader waits for us doesn't count. Ends with the response, or when the returned function is called.
 */
export function cutSlowReader(response: ServerResponse, pace: ReaderPace): () => void {
  const { socket } = response;
  const startedAtMs = performance.now();
  const startBytes = taken(response);
  let checkedAtMs = startedAtMs;
  let waitedMs = 0;

  const timer = setInterval(() => {
    const nowMs = performance.now();
    // What was just handed over counts as taken at once, or a fast reader would be charged for the moment in which it is looked at.
    if (response.writableLength > 0 || (socket?.writableLength ?? 0) > 0) waitedMs += nowMs - checkedAtMs;
    checkedAtMs = nowMs;
    const earnedMs = ((taken(response) - startBytes) / pace.bytesPerSecondMin) * 1000;
    if (waitedMs > pace.waitMsMax + earnedMs || nowMs - startedAtMs > pace.totalMsMax) response.destroy();
  }, pace.checkEveryMs).unref();
  const stop = (): void => clearInterval(timer);
  response.once('close', stop);
  return stop;
}

/** Bytes that have left for the reader: Node counts those that still wait as written. */
function taken({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}
