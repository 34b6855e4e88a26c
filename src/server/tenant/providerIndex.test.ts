import { expect, test } from 'vitest';
import { createProviderIndex } from './liveIndex.ts';

function toIndex(...providers: { id: number; domain: string | null }[]) {
  const index = createProviderIndex();
  index.apply([], providers);
  return index;
}

test('a provider that left its host is no longer found there', () => {
  const index = toIndex({ id: 1, domain: 'old.example' });
  index.apply([1], [{ id: 1, domain: 'new.example' }]);
  expect(index.idOf('old.example')).toBeUndefined();
  expect(index.idOf('new.example')).toBe(1);
});

test('an inactive provider is removed with its host', () => {
  const index = toIndex({ id: 1, domain: 'one.example' }, { id: 2, domain: null });
  index.apply([1, 2], []);
  expect([index.idOf('one.example'), index.has(1), index.has(2), index.size]).toEqual([
    undefined,
    false,
    false,
    0,
  ]);
});

test('a host that moved to another provider stays there, in either order of changes', () => {
  const index = toIndex({ id: 1, domain: 'shared.example' });
  index.apply([2], [{ id: 2, domain: 'shared.example' }]);
  index.apply([1], [{ id: 1, domain: null }]);
  expect(index.idOf('shared.example')).toBe(2);
  expect(index.has(1)).toBe(true);
});

test('providers that swap hosts in one change both keep one', () => {
  const index = toIndex({ id: 1, domain: 'a.example' }, { id: 2, domain: 'b.example' });
  index.apply(
    [1, 2],
    [
      { id: 1, domain: 'b.example' },
      { id: 2, domain: 'a.example' },
    ],
  );
  expect([index.idOf('a.example'), index.idOf('b.example')]).toEqual([2, 1]);
});
