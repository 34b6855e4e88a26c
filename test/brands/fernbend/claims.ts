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

/** Every claim of the site. Pages may rephrase a claim but never extend it. */
export const claims: readonly Claim[] = [
  claim('knee-study', 'The protocol was examined in a knee study.'),
  claim('most-gained', '44 of 48 participants bent their knee further.'),
  claim('stairs', '31 found stairs easier.'),
  claim('no-injuries', '0 injuries were reported.'),
  claim('average-gain-bend', 'Average gain of 12.50 degrees in bending the knee.'),
  claim('average-gain-raise', 'Average gain of 8.25 degrees in raising the straight leg.'),
  claim('twelve-weeks', 'There were twelve weeks between the two measurements.'),
  claim('therapist-taught', 'Taught by physical therapists.'),
  claim('no-operation', 'No operation at any point.'),
  claim('participants', '48 participants in the knee study.'),
  claim('revenue-per-patient', '$900-1,400 revenue per patient.'),
  claim('new-patients', '4-6 new patients per month.'),
  claim('review-time', 'Application review within five days.'),
  claim('training', 'Two half days of training at your clinic.'),
  claim('payment-plans', 'Payment plans from $60/month.'),
];

/** How the texts write the study's figures. Each such text needs the footnote mark. */
export const studyFigures = /12\.5 degrees|44 of 48 part|0 injuries/;
