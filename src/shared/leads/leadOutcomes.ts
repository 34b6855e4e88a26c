/** The outcomes that a provider can report for a lead. */
export const leadOutcomes = ['reached', 'booked', 'not-reachable', 'wrong-area', 'duplicate'] as const;
export type LeadOutcome = (typeof leadOutcomes)[number];

/** Outcomes which mean that the provider has spoken with the lead. */
export const contactOutcomes = ['reached', 'booked'] as const satisfies readonly LeadOutcome[];

/** In days. A lead with an older consent is not given to another provider automatically. */
export const rematchDaysMax = 90;

/** In days, the validity of a link in a provider's message. */
export const outcomeLinkDays = 90;
