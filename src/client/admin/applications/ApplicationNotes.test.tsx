import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { AdminApplication } from '#shared/applications/adminApplications.ts';
import { hourMs, minuteMs } from '#shared/formats/time.ts';
import { DueNote, ReceiptNote } from './applicationColumns.tsx';

const arrived = Date.parse('2026-06-01T12:00:00.000Z');
const application = { created_at: '2026-06-01T12:00:00.000Z', dueAt: '2026-06-03T12:00:00.000Z' };
const plain = (html: string): string => html.replaceAll(/<[^>]+>/g, '').replaceAll('\u00a0', ' ');

test.each([
  [0, 'Waiting less than 1 min Due in 48 h'],
  [5 * minuteMs, 'Waiting 5 min Due in 48 h'],
  [43 * hourMs, 'Waiting 43 h Due in 5 h'],
  [47 * hourMs + 30 * minuteMs, 'Waiting 47 h Due in 30 min'],
  [48 * hourMs, 'Waiting 48 h Overdue since Jun 3, '],
  [24 * 30 * hourMs, 'Waiting 30 days Overdue since Jun 3, '],
  [24 * 400 * hourMs, 'Waiting 400 days Overdue since Jun 3, 2026'],
])('after %d ms an unanswered application reads "%s"', (age, text) => {
  const html = renderToStaticMarkup(<DueNote application={application} now={arrived + age} />);
  expect(plain(html)).toContain(text);
});

test('an answered application has no due time, and an overdue one no time left', () => {
  const note = (dueAt: string | null) =>
    renderToStaticMarkup(<DueNote application={{ ...application, dueAt }} now={arrived + 999 * hourMs} />);
  expect(note(null)).toBe('');
  expect(plain(note(application.dueAt))).not.toContain('Due in');
});

test.each<[AdminApplication['receipt'], string]>([
  [null, ''],
  [{ state: 'sent', reason: null }, 'Receipt sent'],
  [{ state: 'waiting', reason: null }, 'Receipt pending'],
  [{ state: 'waiting', reason: 'Later.' }, 'Receipt pending: Later.'],
  [{ state: 'withheld', reason: 'No token.' }, 'No receipt: No token.'],
  [{ state: 'refused', reason: 'Unknown.' }, 'Receipt refused: Unknown.'],
])('the receipt %j reads "%s"', (receipt, text) => {
  expect(plain(renderToStaticMarkup(<ReceiptNote receipt={receipt} />))).toBe(text);
});
