/**
 * The forms a lead can come from; `api` is a script's. Each names the consent text it shows
 * (shared/brand/consentTexts.ts).
 */
export const pageFormKeys = ['landing', 'microsite', 'quiz', 'find'] as const;
export const formKeys = [...pageFormKeys, 'api'] as const;
export type FormKey = (typeof formKeys)[number];
/** The forms that stand on a page. */
export type PageFormKey = (typeof pageFormKeys)[number];

/**
 * Named in the evidence, with the brand's `questionsVersion` added. Increase a form's version when its fields, their
 * order or their labels change.
 */
export const formVersions: Record<PageFormKey, number> = { landing: 2, microsite: 1, quiz: 1, find: 1 };

/**
 * What is counted of a lead form: first touched, a complete ZIP entered, the lead stored. Counts are by day and form;
 * nothing about the visitor is recorded.
 */
export const formSteps = ['started', 'zip', 'sent'] as const;
export type FormStep = (typeof formSteps)[number];
