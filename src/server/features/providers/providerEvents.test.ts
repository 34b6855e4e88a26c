import { expect, test } from 'vitest';
import { mayMatchMore } from './providerChanges.ts';

const open = { status: 't', paused: false, location: '(1, 2, 3)', matchRadiusMiles: null } as const;

test.each([
  ['is activated', { ...open, status: 'f' as const }, open],
  ['is no longer paused', { ...open, paused: true }, open],
  ['moves', { ...open, location: '(3, 2, 1)' }, open],
  ['is located', { ...open, location: null }, open],
  ['changes its radius', open, { ...open, matchRadiusMiles: 60 }],
])('a provider may match more leads when it %s', (_, before, after) => {
  expect(mayMatchMore(before, after)).toBe(true);
});

test.each([
  ['stays as it is', open, open],
  ['is deactivated', open, { ...open, status: 'f' as const }],
  ['is paused', open, { ...open, paused: true }],
  ['loses its location', open, { ...open, location: null }],
  [
    'changes its radius while inactive',
    { ...open, status: 'f' as const },
    { ...open, status: 'f' as const, matchRadiusMiles: 60 },
  ],
])('a provider matches no more leads than before when it %s', (_, before, after) => {
  expect(mayMatchMore(before, after)).toBe(false);
});
