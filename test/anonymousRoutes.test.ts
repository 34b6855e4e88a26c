import { expect, test } from 'vitest';
import { anonymousRoutes, registeredRoutes } from '#test/bench/anonymousRoutes.ts';

test('public routes and benchmark rows match one to one', () => {
  const registered = registeredRoutes();
  expect(registered.length).toBeGreaterThan(40);
  const measured = new Set(anonymousRoutes.map(({ route }) => route));
  expect(registered.filter((route) => !measured.has(route))).toEqual([]);
  expect([...measured].filter((route) => !registered.includes(route))).toEqual([]);
});
