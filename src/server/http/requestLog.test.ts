import { expect, test } from 'vitest';
import { loggedPath } from './requestLog.ts';

test.each([
  ['/map', '/map'],
  ['/withdraw', '/withdraw'],
  ['/withdraw/12.abc', '/withdraw/…'],
  ['/withdraw/12.abc/more\n/than', '/withdraw/…'],
  ['/outcome/12_7_booked.abc', '/outcome/…'],
  [`/${'x'.repeat(300)}`, `/${'x'.repeat(199)}`],
])('%j is logged as %j: what is a key stays out', (path, logged) => {
  expect(loggedPath(path)).toBe(logged);
});
