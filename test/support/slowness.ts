import { createHash } from 'node:crypto';

/** What the work below takes on the two idle cores that CONTRIBUTING.md measured. */
const referenceMs = 41;
const slownessMax = 8;

/** Half of it hashes, half of it computes, as tests do. */
function timeWork(): number {
  const startedMs = performance.now();
  const hash = createHash('sha256');
  const block = Buffer.alloc(1 << 20, 7);
  for (let round = 0; round < 32; round += 1) hash.update(block);
  hash.digest();
  let sum = 0;
  for (let round = 0; round < 20_000_000; round += 1) sum = Math.imul(sum, 31) + round;
  return performance.now() - startedMs + (sum === 0.5 ? 1 : 0);
}

/**
 * How many times slower than the measured machine this one is now, by itself or because other work keeps it busy: from 1
 * to 8. Takes a fifth of a second on a fast one.
 */
export function measureSlowness(): number {
  timeWork();
  const [, median = referenceMs] = [timeWork(), timeWork(), timeWork()].toSorted((a, b) => a - b);
  return Math.min(slownessMax, Math.max(1, median / referenceMs));
}

/** Of this run, measured once (vitest.config.ts). */
export const slowness = Number(process.env['TEST_SLOWNESS'] ?? 1);
