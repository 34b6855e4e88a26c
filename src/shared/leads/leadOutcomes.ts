import { minuteMs } from '../formats/time.ts';

/** The outcomes that a provider can report for a lead. */
export const leadOutcomes = ['reached', 'booked', 'not-reachable', 'wrong-area', 'duplicate'] as const;
export type LeadOutcome = (typeof leadOutcomes)[number];

/** Their names in messages to providers, on the page of a link and in the dashboard. */
export const leadOutcomeNames: Readonly<Record<LeadOutcome, string>> = {
  reached: 'Reached',
  booked: 'Booked',
  'not-reachable': 'Couldn’t reach',
  'wrong-area': 'Wrong area',
  duplicate: 'Duplicate',
};

/** The names of a request's four stages. */
export const leadStageNames = {
  received: 'Received',
  sent: 'Sent',
  reached: leadOutcomeNames.reached,
  booked: leadOutcomeNames.booked,
} as const;

/** In days. A lead with an older consent is not given to another provider automatically. */
export const rematchDaysMax = 90;

/** In days, the validity of a link in a provider's message. */
export const outcomeLinkDays = 90;

/** A return by a provider's link takes effect after this time, so that another choice can replace it. */
export const returnDelayMs = 5 * minuteMs;
