import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { token } from '#client/theme/tokens.ts';
import { type LeadStage, stageText } from '#shared/admin/leadStage.ts';
import { StageTrack } from './StageTrack.tsx';

const receivedAt = '2026-06-10T12:00:00.000Z';
const start = Date.parse(receivedAt);
const minutes = (count: number): string => new Date(start + count * 60_000).toISOString();
const sent: LeadStage = {
  ...{ receivedAt, sentAt: minutes(0), reachedAt: null, bookedAt: null },
  ...{ isBroken: false, hasOutcome: false },
};
const markup = (stage: LeadStage, hours: number): string =>
  renderToStaticMarkup(<StageTrack stage={stage} now={start + hours * 3_600_000} />);
const positions = (html: string): number[] =>
  [...html.matchAll(/<(?:line x1|circle cx)="([\d.]+)"(?: x2="\1"| cy)/g)].map(([, x]) => Number(x));

test('a track is an image of 132 × 12 whose name is the stage in words', () => {
  const html = markup(sent, 1);
  expect(html).toMatch(/^<svg [^>]*role="img"/);
  expect(html).toContain('viewBox="0 0 132 12" width="132" height="12"');
  expect(html).toContain(`<title>${stageText(sent, start + 3_600_000)}</title>`);
});

test('stations stand by the logarithm of their minutes, apart, and within 30 days', () => {
  const stage = { ...sent, reachedAt: minutes(60), bookedAt: minutes(60 * 24 * 60), hasOutcome: true };
  const [received = 0, first = 0, reached = 0, booked = 0] = positions(markup(stage, 1));
  expect([received, first, booked]).toEqual([1, 5, 131]);
  expect(reached).toBeCloseTo(1 + (130 * Math.log(61)) / Math.log(43_201), 1);
});

test('the track turns amber a day after sending without an outcome', () => {
  expect([23, 25].map((hours) => markup(sent, hours).includes(token.warning))).toEqual([false, true]);
  expect(markup({ ...sent, hasOutcome: true }, 25)).not.toContain(token.warning);
});

test('a delivery that broke leaves a gap in the line', () => {
  const gap = `stroke="${token.background}"`;
  expect(markup({ ...sent, sentAt: null, isBroken: true }, 1)).toContain(gap);
  expect(markup(sent, 1)).not.toContain(gap);
});
