import { vi } from 'vitest';
import { slowness } from './slowness.ts';

interface WaitOptions {
  timeout?: number;
  interval?: number;
}

/** Reached only by failures. Waiting ends with its condition, and the machine may be busy with other tests. */
export const patienceMs = Math.ceil(60_000 * slowness);

/** Repeats the callback until it does not throw. `vi.waitFor` gives up after one second. */
export function waitFor<Value>(
  callback: () => Value | Promise<Value>,
  { timeout = patienceMs, interval = 50 }: WaitOptions = {},
): Promise<Value> {
  return vi.waitFor(callback, { timeout, interval });
}

/** Repeats the condition until its value is truthy. `vi.waitUntil` gives up after one second. */
export function waitUntil<Value>(
  condition: () => Value | Promise<Value>,
  { timeout = patienceMs, interval = 50 }: WaitOptions = {},
) {
  return vi.waitUntil(condition, { timeout, interval });
}
