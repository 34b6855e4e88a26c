import { brand } from './brand.ts';
import { applyLabel } from './calls.ts';
import type { StudyFact } from './hero.ts';
import { longDate } from '#shared/formats/writing.ts';

/**
 * The texts of the provider recruitment page, without the application's (application.ts). `¹` marks a study claim and
 * links to the study note. Figures come from the registry (claims.ts).
 */

export const recruitmentCalls = {
  become: 'Teach it at your clinic',
  viewMap: 'See the clinic map',
  apply: applyLabel,
  start: 'Write to us about your clinic',
} as const;

export const recruitmentHero = {
  eyebrow: 'For knee clinics',
  title: `${brand.name} at your clinic`,
  lead: 'A plan of exercises, the training to teach it, and inquiries from your neighborhood.',
  factsLabel: 'In figures',
  facts: [
    { claim: 'review-time', figure: 'Five days', text: 'until you hear from us' },
    { claim: 'training', figure: 'Two half days', text: 'of training at your clinic' },
    { claim: 'participants', figure: '48', text: 'participants in the knee study¹' },
  ] satisfies StudyFact[],
  /** Under the drawing of a practice and its service area. */
  drawingCaption: 'Whoever lives nearest to you is sent to you.',
} as const;

/**
 * A stroke of a drawing 144 units wide and 128 high: on a filled background, as a plain line, or in the accent color.
 */
export interface Stroke {
  tone: 'ground' | 'line' | 'light';
  path: string;
}

export const explainer = {
  id: 'video-section',
  eyebrow: 'The practice',
  title: 'Four things, twenty minutes',
  lead: 'Warmth, taping, slow loading and balance, in this order.',
  play: 'Watch:',
  parts: [
    {
      key: 'warmth',
      title: 'Warmth',
      drawing: [
        { tone: 'ground', path: 'M30 70h84v34h-84Z' },
        { tone: 'light', path: 'M50 58c-6-8 6-14 0-22m22 22c-6-8 6-14 0-22m22 22c-6-8 6-14 0-22' },
      ] satisfies Stroke[],
    },
    {
      key: 'taping',
      title: 'Taping',
      drawing: [
        { tone: 'ground', path: 'M72 30a34 34 0 0 1 0 68a34 34 0 0 1 0-68Z' },
        { tone: 'light', path: 'M44 46l56 36M44 82l56-36' },
      ] satisfies Stroke[],
    },
    {
      key: 'loading',
      title: 'Slow loading',
      drawing: [
        { tone: 'line', path: 'M30 104h84' },
        { tone: 'ground', path: 'M40 84h20v20h-20ZM64 64h20v40h-20ZM88 44h20v60h-20Z' },
      ] satisfies Stroke[],
    },
    {
      key: 'balance',
      title: 'Balance',
      drawing: [
        { tone: 'ground', path: 'M56 100h32l-16-28Z' },
        { tone: 'light', path: 'M28 68h88' },
      ] satisfies Stroke[],
    },
  ],
} as const;

export const keyPoints = {
  id: 'key-points',
  eyebrow: 'What comes with it',
  title: 'Reasons to teach it',
  points: [
    {
      key: 'demand',
      title: 'Neighbors with stiff knees',
      text: 'People near you ask on this site, and you hear from them first.',
    },
    { key: 'site', title: 'Your own pages', text: 'With your name and logo, on a domain of yours.' },
    { key: 'map', title: 'A pin on the map', text: 'With your address and a link to you.' },
    { key: 'independence', title: 'Your own clinic', text: 'Your prices, your hours, your patients.' },
  ],
} as const;
export type KeyPoint = (typeof keyPoints.points)[number]['key'];

export const testimonials = { id: 'testimonials', label: 'A clinic’s own words' } as const;

export const research = {
  id: 'research',
  eyebrow: 'The knee study',
  title: 'What was counted',
  lead: 'The figures every clinic gets from us.',
  facts: [
    { claim: 'participants', figure: '48', text: 'participants in the knee study¹' },
    { claim: 'most-gained', figure: '44 of 48', text: 'bent their knee further¹' },
    { claim: 'stairs', figure: '31', text: 'found stairs easier¹' },
    { claim: 'no-injuries', figure: '0', text: 'injuries were reported¹' },
    { claim: 'twelve-weeks', figure: 'twelve weeks', text: 'between the two measurements¹' },
  ] satisfies StudyFact[],
} as const;

export const providerNetwork = {
  id: 'provider-network',
  eyebrow: 'The clinics',
  title: 'Who teaches it already',
  lead: 'Perhaps your town is still missing.',
} as const;

export const practiceGrowth = {
  id: 'what-is',
  eyebrow: 'Your clinic',
  title: 'What it may bring',
  lead: 'One more thing to teach.',
  figures: [
    { claim: 'revenue-per-patient', figure: '$900-1,400', text: 'revenue per patient' },
    { claim: 'new-patients', figure: '4-6', text: 'new patients per month' },
  ] satisfies StudyFact[],
  /** Belongs to the figures and stays beside them. */
  earningsNote: 'These are no promise. Your clinic may earn less, or nothing.',
  points: ['No equipment to buy', 'Inquiries with name and number', 'Prices of your own'],
} as const;

export type GetStartedStep = 'apply' | 'train' | 'offer';

export const getStarted = {
  id: 'get-started',
  eyebrow: 'How to join',
  title: 'Write, learn, teach',
  steps: [
    {
      key: 'apply',
      title: 'Write to us',
      text: 'The form below takes five minutes. You hear from us within five days.',
    },
    { key: 'train', title: 'Learn it', text: 'Two half days at your clinic, with your own team.' },
    { key: 'offer', title: 'Teach it', text: 'Your pin appears on the map, and your pages go live.' },
  ] satisfies { key: GetStartedStep; title: string; text: string }[],
} as const;

export const specialOffer = {
  id: 'special-offer',
  eyebrow: 'This season',
  title: 'Terms for new clinics',
  lead: 'Our answer to your letter names them.',
  points: ['An answer within five days', 'Two half days of training', 'A pin on the map'],
  timerLabel: 'Still open for',
  units: { days: 'd', hours: 'h', minutes: 'min', seconds: 's' },
  endsOn: 'Closes',
} as const;

/** The end of the offer, from an instant in UTC: `March 1, 2027, 17:00 UTC`. */
export function offerEndText(iso: string): string {
  return `${longDate(iso.slice(0, 10))}, ${iso.slice(11, 16)} UTC`;
}

/** The text for screen readers. It changes once a minute. */
export function timeLeftSentence(days: number, hours: number, minutes: number): string {
  return `Open for ${days} d ${hours} h ${minutes} min`;
}

export const recruitmentFaq = {
  id: 'faq',
  eyebrow: 'Questions',
  title: 'What clinics ask',
  lead: 'Write to us with the rest.',
  items: [
    { question: 'Who may teach it?', answer: ['Clinics with a licensed physical therapist.'] },
    { question: 'How is it learned?', answer: ['In two half days at your clinic.'] },
    { question: 'When do we hear from you?', answer: ['Within five days.'] },
    { question: 'How do people find us?', answer: ['By their ZIP code, and on the map.'] },
    { question: 'What does it earn?', answer: ['It depends on your town and your prices; perhaps nothing.'] },
  ],
} as const;

export const applicationBand = {
  eyebrow: 'Join',
  title: 'Write to us about your clinic',
  lead: 'You hear from us within five days.',
  callTitle: 'Ask first?',
  call: 'Call or write, without any form.',
} as const;
