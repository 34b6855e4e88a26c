import type { Study } from '#shared/claims/claim.ts';
import { studyParticipants } from '../measures.ts';

/**
 * The study behind the claims, with only what the product specification states. A licensee fills in the rest from the
 * study itself: its marks open as a study once design, measurement, funding and limits are known.
 */
export const protocolStudy: Study = {
  title: 'Study of the protocol',
  participants: studyParticipants,
  months: 6,
  design: null,
  measuredBy: null,
  funding: null,
  limits: null,
  citation: null,
  url: null,
  reviewedBy: null,
  reviewedOn: null,
};

/** The ids of the claims that facts of a study state. A fact isn't shown while its claim is hidden. */
export const factClaims = {
  participants: 'participants',
  months: 'six-months',
} as const satisfies Partial<Record<keyof Study, string>>;

/** Who recommends the protocol. */
export const medicalReview: Study = {
  ...protocolStudy,
  title: 'Recommendation by urologists',
  participants: null,
  months: null,
};

/** The texts of the study page, and of the dialog behind the marks. */
export const studyTexts = {
  lead: 'What this site’s claims rest on, and what is known about it.',
  claims: 'Claims that rest on it',
  notPublished: 'Not yet published: ask us',
  labels: {
    participants: 'Participants',
    months: 'Length',
    design: 'Design',
    measuredBy: 'Measured by',
    funding: 'Paid by',
    limits: 'What it doesn’t show',
    citation: 'Citation',
    reviewed: 'Reviewed by',
  },
  months: (count: number) => `${count} months`,
  reviewed: (by: string, day: string | null) => (day === null ? by : `${by}, ${day}`),
  read: 'Read the study',
} as const;
