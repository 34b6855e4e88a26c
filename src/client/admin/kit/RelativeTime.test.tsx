import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { RelativeTime } from './RelativeTime.tsx';

test('a missing date is a dash, and another is written like Jan 5, 2024', () => {
  meets('P2.admin.15');
  const now = Date.parse('2024-01-06T12:00:00Z');
  expect(renderToStaticMarkup(<RelativeTime iso={null} now={now} />)).toBe('—');
  expect(renderToStaticMarkup(<RelativeTime iso="2024-01-05T12:00:00Z" now={now} />)).toContain(
    'Jan 5, 2024',
  );
});
