import { expect, test } from 'vitest';
import { startWatchdog } from './poolWatchdog.ts';
import { waitUntil } from '#test/support/waitFor.ts';

const timings = { upEveryMs: 5, downEveryMs: 5, lateAfterMs: 5, replaceAfterMs: 60 };

function failWith(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(code), { code }));
}

interface Watched extends Disposable {
  probes: () => number;
  replacements: () => number;
  /** Probes sent before the first replacement. */
  probesAtReplacement: () => number;
  state: () => 'unknown' | 'up' | 'down';
}

function watch(probe: () => Promise<unknown>, isBusy = false): Watched {
  let probes = 0;
  let replacements = 0;
  let probesAtReplacement = Number.NaN;
  const watchdog = startWatchdog({
    timings,
    probe: () => {
      probes += 1;
      return probe();
    },
    isBusy: () => Promise.resolve(isBusy),
    replace: () => {
      if (replacements === 0) probesAtReplacement = probes;
      replacements += 1;
    },
    onBusy: () => undefined,
    onProbe: () => undefined,
    onState: () => undefined,
  });
  return {
    probes: () => probes,
    replacements: () => replacements,
    probesAtReplacement: () => probesAtReplacement,
    state: watchdog.state,
    [Symbol.dispose]: watchdog.stop,
  };
}

/** Probes every five milliseconds for at least twice as long as a silent pool is kept. */
async function untilOverdue({ probes }: Watched): Promise<void> {
  const startedAtMs = performance.now();
  await waitUntil(() => probes() > 10 && performance.now() - startedAtMs > 2 * timings.replaceAfterMs);
}

test.each(['ECONNREFUSED', 'ECONNRESET', 'CONNECTION_CLOSED', '57P03', '53300'])(
  'a pool whose probes fail with %s is kept: a new one would get the same answer',
  async (code) => {
    using watched = watch(failWith(code));
    await untilOverdue(watched);
    expect(watched.replacements()).toBe(0);
  },
);

test.each(['CONNECT_TIMEOUT', 'ETIMEDOUT', 'EHOSTUNREACH'])(
  'a pool whose probes fail with %s is replaced again and again',
  async (code) => {
    using watched = watch(failWith(code));
    await waitUntil(() => watched.replacements() > 1);
    expect(watched.probes()).toBeGreaterThan(2);
  },
);

test('hanging probes do not pile up, and the pool is replaced', async () => {
  using watched = watch(() => new Promise(() => undefined));
  await waitUntil(() => watched.replacements() > 0);
  expect(watched.probesAtReplacement()).toBeLessThanOrEqual(3);
});

test('a busy pool is kept', async () => {
  using watched = watch(failWith('CONNECT_TIMEOUT'), true);
  await untilOverdue(watched);
  expect(watched.replacements()).toBe(0);
});

test.each(['53300', '53400'])(
  'a database that is up stays up while it refuses probes with %s',
  async (code) => {
    let probed = 0;
    using watched = watch(() => {
      probed += 1;
      return probed === 1 ? Promise.resolve() : failWith(code)();
    });
    await untilOverdue(watched);
    expect(watched.state()).toBe('up');
  },
);

test('a down database stays down while it has no connection for probes', async () => {
  let probed = 0;
  using watched = watch(() => {
    probed += 1;
    return failWith(probed === 1 ? 'ECONNREFUSED' : '53300')();
  });
  await untilOverdue(watched);
  expect(watched.state()).toBe('down');
});

test('a pool whose probes wait behind its own statements is not down', async () => {
  const hang = (): Promise<never> => new Promise(() => undefined);
  using silent = watch(hang);
  using busy = watch(hang, true);
  await waitUntil(() => silent.state() === 'down');
  await untilOverdue(silent);
  expect(busy.state()).toBe('unknown');
});
