/** What a clinic may tell of a lead it was given. */
export const leadOutcomes = ['reached', 'booked', 'not-reachable', 'wrong-area', 'duplicate'] as const;
export type LeadOutcome = (typeof leadOutcomes)[number];
