import { brand } from './brand.ts';

/** Titles of the brand's own pages, for windows, search engines and shared links. */
export const pageTitles = {
  landing: `${brand.name}: non-surgical male enhancement, certified providers near you`,
  variant: `Increase size without surgery | ${brand.name}`,
  quiz: `Find your provider in two steps | ${brand.name}`,
  find: `Find a certified provider near you | ${brand.name}`,
  recruitment: `Become a certified provider | ${brand.name}`,
  map: `Provider network map | ${brand.name}`,
} as const;

/** Descriptions for search engines and shared links. Only the server uses them. */
export const pageDescriptions = {
  landing: brand.description,
  variant: `${brand.name} is a clinically studied, non-surgical protocol performed by a certified provider near you. Request a free consultation.`,
  quiz: `Enter your ZIP code and how to reach you, and a certified provider of ${brand.name} near you gets in touch.`,
  find: `Enter your ZIP code to find the nearest certified provider of ${brand.name}. Private, no obligation.`,
  recruitment: `Offer ${brand.name}, a clinically studied, non-surgical protocol, in your practice: training, certification and patients from your area.`,
  map: `All certified providers of ${brand.name} in the United States, on a map and in a list sorted by distance from your ZIP code.`,
  microsite: (provider: string) =>
    `${provider} is an independent, certified provider of ${brand.name}, a non-surgical male enhancement protocol. Request a consultation.`,
  provider: (provider: string) => `${provider} is an independent, certified provider of ${brand.name}.`,
  study: `What the claims of ${brand.name} rest on: participants, length, design, measurement, funding and limits.`,
  policy: (title: string) => `${title} of ${brand.name}.`,
} as const;
