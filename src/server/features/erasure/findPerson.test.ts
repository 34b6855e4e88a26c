import { expect, test } from 'vitest';
import { isSameName } from './findPerson.ts';

test.each([
  ['Ann', 'Reader', 'ANN', 'reader', true],
  ['José', 'Núñez', 'Jose', 'NUNEZ', true],
  ['Ann', 'van  Loon', ' Ann van', 'Loon', true],
  ['Ann', 'Reader', 'Anna', 'Reader', false],
  ['Ann', 'Reader', 'Reader', 'Ann', false],
])(
  '%s %s and %s %s are compared without case, accents or extra spaces: %s',
  (first, last, otherFirst, otherLast, isSame) => {
    const one = { firstName: first, lastName: last };
    expect(isSameName(one, { firstName: otherFirst, lastName: otherLast })).toBe(isSame);
  },
);
