import { expect, test } from 'vitest';
import { asciiJson } from './text.ts';

test('it means the same and holds only ASCII, without a less-than sign', () => {
  const value = { '<!--': '</script>\u2028\u2029', name: 'Dr. Müller – 診療所 😀 \x7f \ud800' };
  const json = asciiJson(value);
  expect(json).toMatch(/^[ -~]*$/);
  expect(json).not.toContain('<');
  expect(JSON.parse(json)).toEqual(value);
});
