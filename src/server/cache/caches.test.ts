import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cacheUntilChange } from './caches.ts';

test('a value that is kept is returned while the next is created, once', async () => {
  let revision = 1;
  const answers: PromiseWithResolvers<{ at: number }>[] = [];
  const cached = cacheUntilChange({
    load: () => {
      const answer = Promise.withResolvers<{ at: number }>();
      answers.push(answer);
      return answer.promise;
    },
    revision: () => revision,
    servesStale: true,
  });
  const first = cached.get();
  answers[0]?.resolve({ at: 1 });
  expect(await first).toEqual({ at: 1 });
  revision = 2;
  await expect
    .poll(() => {
      void cached.get();
      return answers.length;
    })
    .toBe(2);
  expect(await cached.get()).toEqual({ at: 1 });
  expect(answers.length).toBe(2);
  answers[1]?.resolve({ at: 2 });
  await expect.poll(() => cached.get()).toEqual({ at: 2 });
  expect(answers.length).toBe(2);
});

test('a failure is thrown to who waits for it, and is not unhandled if nobody does', async () => {
  const onUnhandled = vi.fn<() => void>();
  process.on('unhandledRejection', onUnhandled);
  onTestFinished(() => void process.off('unhandledRejection', onUnhandled));
  const answer = Promise.withResolvers<object>();
  const cached = cacheUntilChange({ load: () => answer.promise, revision: () => 1 });
  void cached.get();
  answer.reject(new Error('no database'));
  await setImmediate();
  expect(onUnhandled).not.toHaveBeenCalled();
  const failing = cacheUntilChange({
    load: () => Promise.reject(new Error('no database')),
    revision: () => 1,
  });
  await expect(failing.get()).rejects.toThrow('no database');
});
