import type { Claim, ClaimPages, Study } from '#shared/claims/claim.ts';
import { averageGain, studyParticipants } from './measures.ts';
import { factClaims, medicalReview, protocolStudy, studyTexts } from './trust/study.ts';

interface ClaimWords {
  says: readonly string[];
  words?: readonly string[];
  study?: Study | null;
  madeOn?: ClaimPages;
}

/** Of the study, unless `study` is null, and made on every site, unless `madeOn` is another. */
function claim<const Id extends string>(
  id: Id,
  text: string,
  { says, words = [], study = protocolStudy, madeOn = 'everySite' }: ClaimWords,
): Claim<Id> {
  return { id, text, substantiation: null, approvedBy: null, approvedAt: null, study, madeOn, says, words };
}

/**
 * Every claim of the site, in the specification's wording. Pages may rephrase a claim but never extend it, and each
 * phrase that states it is in `says` or `words`, by which owners can hide it.
 */
export const claims = [
  claim('clinical-study', 'The protocol was examined in a clinical study.', {
    says: ['clinical study', 'clinically proven', 'study participants', 'the study', 'in studies'],
    words: ['clinically studied, ', 'clinically studied: ', 'clinically studied '],
  }),
  claim('all-gained', '100% of participants saw gains.', { says: ['100% of participants', 'saw gains'] }),
  claim('no-adverse-effects', '0% reported adverse effects.', {
    says: ['reported adverse effects', 'no side effects'],
  }),
  claim('erectile-function', '32 men reported improved erectile function.', {
    says: ['improved erectile function'],
    madeOn: 'mainSite',
  }),
  claim('average-gain-length', 'Average gain of 1.04 inches in length.', {
    says: [`${averageGain.length} inches`],
  }),
  claim('average-gain-girth', 'Average gain of 0.54 inches in girth.', {
    says: [`${averageGain.girth} inches`],
  }),
  claim(factClaims.months, 'Results were measured at a horizon of six months.', {
    says: ['six months', studyTexts.months(6)],
  }),
  claim('urologist-recommended', 'Urologist Recommended.', {
    says: ['urologist recommended', 'by urologists'],
    study: medicalReview,
  }),
  claim('non-surgical', '100% Non-Surgical.', {
    says: ['100% non-surgical', 'no surgery', 'no operation at any point'],
    study: null,
  }),
  claim('expected-improvement', 'Nearly an inch in length and up to half an inch in girth.', {
    says: ['nearly an inch'],
  }),
  claim(factClaims.participants, '32 study participants.', {
    says: [
      `${studyParticipants} study participants`,
      `${studyParticipants} participants`,
      `n = ${studyParticipants}`,
    ],
  }),
  claim('all-measurable', '100% achieved measurable increases.', {
    says: ['measurable increases'],
    madeOn: 'clinics',
  }),
  claim('average-increase', '23% average size increase.', {
    says: ['average size increase'],
    madeOn: 'clinics',
  }),
  claim('no-adverse-events', '0 adverse events.', { says: ['0 adverse events'], madeOn: 'clinics' }),
  claim('satisfaction', '95%+ satisfaction.', { says: ['95%+ satisfaction'], madeOn: 'clinics' }),
  claim('revenue-per-patient', '$2K-8K revenue per patient.', {
    says: ['revenue per patient'],
    study: null,
    madeOn: 'clinics',
  }),
  claim('new-patients', '8-12 new patients per month.', {
    says: ['new patients per month'],
    study: null,
    madeOn: 'clinics',
  }),
  claim('review-time', 'Application review within 24-48 hours.', {
    says: ['24-48 hours', '24–48 hours'],
    study: null,
    madeOn: 'clinics',
  }),
  claim('training', 'One-day virtual training plus a hands-on workshop.', {
    says: ['virtual training', 'hands-on workshop'],
    study: null,
  }),
  claim('payment-plans', 'Payment plans from $199/month, 0% APR on approved credit.', {
    says: ['$199/month', '0% APR'],
    study: null,
    madeOn: 'paymentPlans',
  }),
] as const;

export type ClaimId = (typeof claims)[number]['id'];

/** How the texts write the study's figures. Each such text needs the footnote mark. */
export const studyFigures = /1\.04 inches|100% of part|0% of part|32 men/;
