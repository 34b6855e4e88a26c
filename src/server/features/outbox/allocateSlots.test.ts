import { expect, test } from 'vitest';
import { allocateSlots } from './allocateSlots.ts';

const none: ReadonlySet<string> = new Set();

function allocated(
  due: readonly string[] | string,
  busy: Record<string, number> = {},
  slow = none,
): Record<string, number> {
  return Object.fromEntries(
    allocateSlots({
      due: typeof due === 'string' ? due.split('') : due,
      busy: new Map(Object.entries(busy)),
      slow,
    }),
  );
}

test('a single endpoint gets eight slots, less those in use', () => {
  expect(allocated('a')).toEqual({ a: 8 });
  expect(allocated('a', { a: 6 })).toEqual({ a: 2 });
  expect(allocated('a', { a: 8 })).toEqual({});
});

test('many endpoints share the slots evenly', () => {
  expect(allocated('abcdef')).toEqual({ a: 5, b: 5, c: 5, d: 5, e: 5, f: 5 });
  expect(allocated('ab', { a: 8, c: 8, d: 8 })).toEqual({ b: 4 });
});

test('an endpoint without a slot gets its own, however many others use', () => {
  expect(allocated('e', { a: 8, b: 8, c: 8, d: 4 })).toEqual({ e: 1 });
  expect(allocated('abcde', { a: 8, b: 8, c: 8, d: 8 })).toEqual({ e: 1 });
});

test('an endpoint whose last attempt timed out gets only its own slot', () => {
  expect(allocated('ab', {}, new Set('a'))).toEqual({ a: 1, b: 8 });
  expect(allocated('a', { a: 1 }, new Set('a'))).toEqual({});
});

test('each channel has 24 slots, whatever other channels and endpoints use', () => {
  const busy = { crm: 24, 'lead-email': 20, a: 8, b: 8, c: 8, d: 4 };
  expect(allocated(['crm', 'lead-email', 'provider-email', 'e'], busy)).toEqual({
    'lead-email': 4,
    'provider-email': 24,
    e: 1,
  });
  expect(allocated('a', { crm: 24, 'lead-email': 24 })).toEqual({ a: 8 });
});
