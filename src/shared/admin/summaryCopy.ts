import { durationText } from '../formats/durations.ts';

const number = (value: number): string => value.toLocaleString('en-US');

/** '+12', '−5' */
const signed = (value: number): string => `${value < 0 ? '−' : '+'}${number(Math.abs(value))}`;

/** '12 more (+8%)', '5 fewer (−10%)', 'No change' */
function changeText(
  now: number,
  before: number,
  words: { more: string; less: string; unit?: string },
): string {
  if (now === before) return 'No change';
  const amount = words.unit ?? number(Math.abs(now - before));
  const percent = before === 0 ? 'none before' : `${signed(Math.round(((now - before) / before) * 100))}%`;
  return `${amount} ${now > before ? words.more : words.less} (${percent})`;
}

export const summaryCopy = {
  title: 'Key figures',
  failed: 'Failed to load the key figures',
  names: {
    leads: 'Leads',
    clinicReached: 'Clinic reached',
    median: 'Median to first outcome',
    reached: 'Reached',
    booked: 'Booked',
    noOutcome: 'No outcome',
    failed: 'Failed deliveries',
  },
  compared: (days: string) =>
    `Compared with ${days}. Leads of these days, as they are now. Quarantined and deleted leads aren’t counted. Clinic reached: it has the email about the lead. Reached: it spoke with the person, booked included.`,
  change: (now: number, before: number) => changeText(now, before, { more: 'more', less: 'fewer' }),
  timeChange: (now: number | null, before: number | null) =>
    now === null || before === null
      ? 'No comparison'
      : changeText(now, before, {
          more: 'slower',
          less: 'faster',
          unit: durationText(Math.abs(now - before)),
        }),
  part: (percent: string, of: 'leads' | 'matched') =>
    `${percent} of ${of === 'leads' ? 'leads' : 'matched leads'}`,
  notReached: (leads: number) => `${number(leads)} not reached`,
} as const;

/** Text of the weekly email, its switch and the page behind its link. */
export const weeklyEmailCopy = {
  label: (zone: string) => `Email me the week’s figures each Monday at 8:00 AM (${zone})`,
  failed: 'Failed to change the weekly email',
  subject: (brandName: string, days: string) => `${brandName}: the week of ${days}`,
  intro: (days: string, before: string) => `Leads of ${days}, compared with ${before}.`,
  line: (name: string, figure: string, change: string) => `${name}: ${figure} (${change})`,
  noFigure: 'none',
  unsubscribe: 'To stop this email, open:',
  page: {
    windowTitle: 'Weekly email',
    ask: {
      title: 'Stop the weekly email?',
      text: 'You no longer get the figures each Monday. You can turn them on again under Insights.',
      action: 'Stop the weekly email',
    },
    done: { title: 'The weekly email is off', text: 'You can turn it on again under Insights.' },
    unknown: {
      title: 'This link is incomplete',
      text: 'Part of it is missing. You can turn the weekly email off under Insights.',
    },
    failed: {
      title: 'Something went wrong',
      text: 'Open the link again in a minute, or switch the email off under Insights.',
    },
  },
} as const;
