import type { ServerResponse } from 'node:http';

export interface DownloadLimits {
  /**
   * Total milliseconds for which a client may keep us waiting, beyond the time that its bytes take at the minimum pace.
   */
  waitMsMax: number;
  /** The minimum pace in bytes per second. */
  bytesPerSecondMin: number;
  /** Milliseconds from the first byte to the last, at any pace. */
  totalMsMax: number;
  /** Interval of the checks. */
  checkEveryMs: number;
}

/**
 * Closes the connection of a client that reads too slowly: one that stops, one that reads a few bytes now and then, and
 * one that exceeds the total time. Time in which the client waits for us does not count. Ends with the response or when
 * the returned function is called.
 */
export function disconnectSlowClient(response: ServerResponse, pace: DownloadLimits): () => void {
  const { socket } = response;
  const startedAtMs = performance.now();
  const startBytes = taken(response);
  let checkedAtMs = startedAtMs;
  let waitedMs = 0;

  const timer = setInterval(() => {
    const nowMs = performance.now();
    // Bytes that were just written count as read immediately; otherwise, a fast client would be charged for the moment
    // of the check.
    if (response.writableLength > 0 || (socket?.writableLength ?? 0) > 0) waitedMs += nowMs - checkedAtMs;
    checkedAtMs = nowMs;
    const earnedMs = ((taken(response) - startBytes) / pace.bytesPerSecondMin) * 1000;
    if (waitedMs > pace.waitMsMax + earnedMs || nowMs - startedAtMs > pace.totalMsMax) response.destroy();
  }, pace.checkEveryMs).unref();
  const stop = (): void => clearInterval(timer);
  response.once('close', stop);
  return stop;
}

/** Bytes that the client has received. Node counts buffered bytes as written. */
function taken({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}
