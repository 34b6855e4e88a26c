import { expect, test } from 'vitest';
import { dealHands } from './allocateSlots.ts';

const none: ReadonlySet<string> = new Set();

function dealt(due: string, busy: Record<string, number> = {}, slow = none): Record<string, number> {
  return Object.fromEntries(dealHands({ due: due.split(''), busy: new Map(Object.entries(busy)), slow }));
}

test('an endpoint alone gets eight hands, and no more than it hasn’t', () => {
  expect(dealt('a')).toEqual({ a: 8 });
  expect(dealt('a', { a: 6 })).toEqual({ a: 2 });
  expect(dealt('a', { a: 8 })).toEqual({});
});

test('many share what there is, none with two more than another', () => {
  expect(dealt('abcdef')).toEqual({ a: 5, b: 5, c: 5, d: 5, e: 5, f: 5 });
  expect(dealt('ab', { a: 8, c: 8, d: 8 })).toEqual({ b: 4 });
});

test('whoever has none gets one, whatever others hold', () => {
  expect(dealt('e', { a: 8, b: 8, c: 8, d: 4 })).toEqual({ e: 1 });
  expect(dealt('abcde', { a: 8, b: 8, c: 8, d: 8 })).toEqual({ e: 1 });
});

test('whoever’s last try found no answer gets one hand', () => {
  expect(dealt('ab', {}, new Set('a'))).toEqual({ a: 1, b: 8 });
  expect(dealt('a', { a: 1 }, new Set('a'))).toEqual({});
});
