/** One marketing claim and its proof. A claim without substantiation or approval is an open task of the licensee. */
export interface Claim {
  id: string;
  text: string;
  /** Reference to the study or document that proves it. */
  substantiation: string | null;
  approvedBy: string | null;
  /** ISO date. */
  approvedAt: string | null;
}

function claim(id: string, text: string): Claim {
  return { id, text, substantiation: null, approvedBy: null, approvedAt: null };
}

/** Every claim of the site, in the specification's wording. Pages may rephrase a claim but never extend it. */
export const claims: readonly Claim[] = [
  claim('clinical-study', 'The protocol was examined in a clinical study.'),
  claim('all-gained', '100% of participants saw gains.'),
  claim('no-adverse-effects', '0% reported adverse effects.'),
  claim('erectile-function', '32 men reported improved erectile function.'),
  claim('average-gain-length', 'Average gain of 1.04 inches in length.'),
  claim('average-gain-girth', 'Average gain of 0.54 inches in girth.'),
  claim('six-months', 'Results were measured at a horizon of six months.'),
  claim('urologist-recommended', 'Urologist Recommended.'),
  claim('non-surgical', '100% Non-Surgical.'),
  claim('expected-improvement', 'Nearly an inch in length and up to half an inch in girth.'),
  claim('participants', '32 study participants.'),
  claim('all-measurable', '100% achieved measurable increases.'),
  claim('average-increase', '23% average size increase.'),
  claim('no-adverse-events', '0 adverse events.'),
  claim('satisfaction', '95%+ satisfaction.'),
  claim('revenue-per-patient', '$2K-8K revenue per patient.'),
  claim('new-patients', '8-12 new patients per month.'),
  claim('review-time', 'Application review within 24-48 hours.'),
  claim('training', 'One-day virtual training plus a hands-on workshop.'),
  claim('payment-plans', 'Payment plans from $199/month, 0% APR on approved credit.'),
];

/** How the texts write the study's figures. Each such text needs the footnote mark. */
export const studyFigures = /1\.04 inches|100% of part|0% of part|32 men/;
