import type { Study } from '#shared/claims/claim.ts';
import { studyParticipants } from '#shared/brand/measures.ts';

/** A published study: its marks open it. */
export const protocolStudy: Study = {
  title: 'Knee study at three sites',
  participants: studyParticipants,
  months: 6,
  design: 'Open, without a control group',
  measuredBy: 'Two nurses of the sites, with one ruler',
  funding: 'The maker of the protocol',
  limits: 'Nothing about knees after six months, or about other people',
  citation: 'Knee Letters 12 (2026), page 7',
  url: 'https://study.kneebrand.example/',
  reviewedBy: 'Dr. Rowan Birch',
  reviewedOn: '2026-11-01',
};

/** The ids of the claims that facts of a study state. */
export const factClaims = {
  participants: 'participants',
  months: 'six-months',
} as const satisfies Partial<Record<keyof Study, string>>;

/** Not published. */
export const medicalReview: Study = {
  title: 'Who recommends it',
  participants: null,
  months: null,
  design: null,
  measuredBy: null,
  funding: null,
  limits: null,
  citation: null,
  url: null,
  reviewedBy: null,
  reviewedOn: null,
};

/** The texts of the study page, and of the dialog behind the marks. */
export const studyTexts = {
  lead: 'Where our figures are from.',
  claims: 'What we say because of it',
  notPublished: 'Not out yet: ask',
  labels: {
    participants: 'People',
    months: 'Duration',
    design: 'Kind',
    measuredBy: 'Who measured',
    funding: 'Who paid',
    limits: 'What it leaves open',
    citation: 'Where it is',
    reviewed: 'Who read it',
  },
  months: (count: number) => `${count} months`,
  reviewed: (by: string, day: string | null) => (day === null ? by : `${by}, ${day}`),
  read: 'Open the study',
} as const;
