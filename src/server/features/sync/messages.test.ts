import { expect, test } from 'vitest';
import { runMessages } from './messages.ts';

test.each([
  [119, '119 s'],
  [120, '2 min'],
  [7_199, '120 min'],
  [7_200, '2 h'],
  [86_400, '24 h'],
])('a run since %i seconds is said to have started %s ago', (seconds, shown) => {
  expect(runMessages.busySince(seconds, 'Robin')).toContain(`(started ${shown} ago by Robin)`);
});

test('the message of a run that skipped all rows says how many there were', () => {
  expect(runMessages.allSkipped(1, ['No name.'])).toBe('The only row was skipped: No name.');
  expect(runMessages.allSkipped(1_200, ['No name.', 'No ZIP.'])).toBe(
    'All 1,200 rows were skipped: No name. No ZIP.',
  );
});
