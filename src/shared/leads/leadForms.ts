/** The forms of a lead; `api` is a script's. Each names its consent text (shared/brand/consentTexts.ts). */
export const pageFormKeys = ['landing', 'microsite', 'quiz', 'find'] as const;
export const formKeys = [...pageFormKeys, 'api'] as const;
export type FormKey = (typeof formKeys)[number];
/** The forms that stand on a page. */
export type PageFormKey = (typeof pageFormKeys)[number];

/** Named in the evidence with `questionsVersion`. Increase it when fields, their order or labels change. */
export const formVersions: Record<PageFormKey, number> = { landing: 2, microsite: 2, quiz: 1, find: 1 };

/** Counted by day and form: first touched, a complete ZIP, the lead stored. Records nothing about the visitor. */
export const formSteps = ['started', 'zip', 'sent'] as const;
export type FormStep = (typeof formSteps)[number];
