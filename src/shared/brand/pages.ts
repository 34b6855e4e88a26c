import { brand } from './brand.ts';

/** Titles and descriptions of the brand's own screens, for windows, search engines and shared links. */
export const pageTexts = {
  landing: {
    title: `${brand.name}: non-surgical male enhancement, certified providers near you`,
    description: brand.description,
  },
  variant: {
    title: `Increase size without surgery | ${brand.name}`,
    description: `${brand.name} is a clinically studied protocol without surgery, carried out by a certified provider near you. Ask for a free consultation.`,
  },
  quiz: {
    title: `Find your provider in two steps | ${brand.name}`,
    description: `Your ZIP code, then how to reach you: a certified provider of ${brand.name} near you gets in touch.`,
  },
  find: {
    title: `Find a certified provider near you | ${brand.name}`,
    description: `Leave your ZIP code and find the certified provider of ${brand.name} nearest to you. Private, without obligation.`,
  },
  recruitment: {
    title: `Become a certified provider | ${brand.name}`,
    description: `Offer ${brand.name}, a clinically studied, non-surgical protocol, in your own practice: training, certification and patients from your area.`,
  },
  map: {
    title: `Provider network map | ${brand.name}`,
    description: `All certified providers of ${brand.name} in the United States on a map and as a list, sorted by distance from your ZIP code.`,
  },
} as const;

/** Descriptions of pages about a provider or a document. */
export const pageDescriptions = {
  microsite: (provider: string) =>
    `${provider} is an independent, certified provider of ${brand.name}, a clinically studied, non-surgical male enhancement protocol. Ask for a consultation.`,
  provider: (provider: string) => `${provider} is an independent, certified provider of ${brand.name}.`,
  policy: (title: string) => `${title} of ${brand.name}.`,
} as const;
