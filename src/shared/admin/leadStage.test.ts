import { expect, test } from 'vitest';
import { isOutcomeLate, type LeadStage, stageText } from './leadStage.ts';

const received: LeadStage = {
  receivedAt: '2026-06-10T20:14:00.000Z',
  sentAt: null,
  reachedAt: null,
  bookedAt: null,
  isBroken: false,
  hasOutcome: false,
};
const sent: LeadStage = { ...received, sentAt: '2026-06-10T20:14:05.000Z' };
const reached: LeadStage = { ...sent, reachedAt: '2026-06-10T23:20:00.000Z', hasOutcome: true };
const evening = Date.parse('2026-06-10T23:30:00Z');
const hours = (count: number): number => Date.parse(received.receivedAt) + count * 3_600_000;

test.each([
  [received, evening, 'Received 8:14 PM, not sent'],
  [{ ...received, isBroken: true }, evening, 'Received 8:14 PM, not delivered to the clinic'],
  [sent, evening, 'Received 8:14 PM, sent 8:14 PM, no outcome yet'],
  [
    { ...sent, isBroken: true },
    evening,
    'Received 8:14 PM, sent 8:14 PM, not delivered to the clinic, no outcome yet',
  ],
  [reached, evening, 'Received 8:14 PM, sent 8:14 PM, reached after 3 h, not booked'],
  [
    { ...reached, bookedAt: '2026-06-15T20:14:00.000Z' },
    evening,
    'Received 8:14 PM, sent 8:14 PM, reached after 3 h, booked after 5 days',
  ],
  [
    { ...reached, reachedAt: '2026-06-10T20:14:59.000Z', bookedAt: '2026-06-10T20:14:59.000Z' },
    evening,
    'Received 8:14 PM, sent 8:14 PM, booked within a minute',
  ],
  [
    { ...received, reachedAt: '2026-06-10T20:59:00.000Z', hasOutcome: true },
    evening,
    'Received 8:14 PM, not sent, reached after 45 min, not booked',
  ],
  [
    { ...sent, sentAt: '2026-06-11T08:00:00.000Z' },
    hours(20),
    'Received Jun 10, 8:14 PM, sent Jun 11, 8:00 AM, no outcome yet',
  ],
  [sent, hours(30), 'Received Jun 10, 8:14 PM, sent 8:14 PM, no outcome for 29 h'],
  [{ ...sent, hasOutcome: true }, hours(30), 'Received Jun 10, 8:14 PM, sent 8:14 PM, not reached'],
])('the stage %# reads as times and durations', (stage, now, text) => {
  expect(stageText(stage, now, 'UTC').replaceAll('\u202F', ' ')).toBe(text);
});

test('an outcome is late 24 hours after the email was accepted, and not before', () => {
  const due = Date.parse(sent.sentAt ?? '') + 24 * 3_600_000;
  expect([due, due + 1].map((now) => isOutcomeLate(sent, now))).toEqual([false, true]);
  expect(isOutcomeLate({ ...sent, hasOutcome: true }, due + 1)).toBe(false);
  expect(isOutcomeLate(received, due + 1)).toBe(false);
});
