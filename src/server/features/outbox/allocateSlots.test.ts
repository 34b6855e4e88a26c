import { expect, test } from 'vitest';
import { allocateSlots, reduceSlots } from './allocateSlots.ts';

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

test('a single endpoint gets sixteen slots, less those in use', () => {
  expect(allocated('a')).toEqual({ a: 16 });
  expect(allocated('a', { a: 14 })).toEqual({ a: 2 });
  expect(allocated('a', { a: 16 })).toEqual({});
});

test('many endpoints share the slots evenly', () => {
  expect(allocated('abcdef')).toEqual({ a: 9, b: 9, c: 9, d: 9, e: 9, f: 9 });
  expect(allocated('ab', { a: 16, c: 16, d: 16 })).toEqual({ b: 4 });
});

test('an endpoint without a slot gets its own, however many others use', () => {
  expect(allocated('e', { a: 16, b: 16, c: 16, d: 4 })).toEqual({ e: 1 });
  expect(allocated('abcde', { a: 16, b: 16, c: 16, d: 16 })).toEqual({ e: 1 });
});

test('an endpoint whose last attempt timed out gets only its own slot', () => {
  expect(allocated('ab', {}, new Set('a'))).toEqual({ a: 1, b: 16 });
  expect(allocated('a', { a: 1 }, new Set('a'))).toEqual({});
});

test('each channel has 24 slots, even if others use all of theirs', () => {
  const busy = { crm: 24, 'lead-email': 20, a: 16, b: 16, c: 16, d: 4 };
  expect(allocated(['crm', 'lead-email', 'provider-email', 'e'], busy)).toEqual({
    'lead-email': 4,
    'provider-email': 24,
    e: 1,
  });
  expect(allocated('a', { crm: 24, 'lead-email': 24 })).toEqual({ a: 16 });
});

test.each([
  ['one queue', { crm: 24 }, {}, { crm: 4 }],
  [
    'several queues in turn',
    { crm: 24, 'lead-email': 24, 'provider-email': 1 },
    {},
    { crm: 2, 'lead-email': 1, 'provider-email': 1 },
  ],
  ['a queue whose attempts hang', { 'lead-email': 24 }, { crm: 4 }, { 'lead-email': 1 }],
  [
    'every queue once',
    { crm: 24, a: 1, b: 1, c: 1, d: 1, e: 1 },
    {},
    { crm: 1, a: 1, b: 1, c: 1, d: 1, e: 1 },
  ],
  ['no more than are free', { crm: 20 }, { crm: 4 }, {}],
])('while the worker yields, four slots are shared: %s', (_, wanted, busy, expected) => {
  const slots = reduceSlots(new Map(Object.entries(wanted)), new Map(Object.entries(busy)));
  expect(Object.fromEntries(slots)).toEqual(expected);
});
