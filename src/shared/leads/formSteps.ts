/**
 * What is counted of a lead form: first touched, a complete ZIP entered, the lead stored. Counts are by day and form;
 * nothing about the visitor is recorded.
 */
export const formSteps = ['started', 'zip', 'sent'] as const;
export type FormStep = (typeof formSteps)[number];
