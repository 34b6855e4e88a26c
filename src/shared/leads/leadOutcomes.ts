/** What a clinic may tell of a lead it was given. */
export const leadOutcomes = ['reached', 'booked', 'not-reachable', 'wrong-area', 'duplicate'] as const;
export type LeadOutcome = (typeof leadOutcomes)[number];

/** A consent older than this, in days, lets no lead be given to another clinic by itself. */
export const rematchDaysMax = 90;

/** A link in a clinic's message can be used so many days. */
export const outcomeLinkDays = 90;
