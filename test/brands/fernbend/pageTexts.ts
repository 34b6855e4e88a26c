import { brand } from './brand.ts';

/** Titles of the brand's own pages, for windows, search engines and shared links. */
export const pageTitles = {
  landing: `${brand.name}: more bend for stiff knees`,
  variant: `Stiff knees, patient practice | ${brand.name}`,
  quiz: `Two questions to your knee clinic | ${brand.name}`,
  find: `Knee clinics near you | ${brand.name}`,
  recruitment: `Teach ${brand.name} at your clinic`,
  map: `Map of knee clinics | ${brand.name}`,
} as const;

/** Descriptions for search engines and shared links. Only the server uses them. */
export const pageDescriptions = {
  landing: brand.description,
  variant: `${brand.name} trains stiff knees without surgery. Ask a clinic near you for a free first look.`,
  quiz: `Where you live, then how to reach you: a clinic that teaches ${brand.name} answers you.`,
  find: `Your ZIP code leads to the clinic nearest to you that teaches ${brand.name}.`,
  recruitment: `Add ${brand.name}, a knee mobility protocol, to what your clinic offers.`,
  map: `Every clinic that teaches ${brand.name}, mapped and listed.`,
  microsite: (provider: string) =>
    `${provider} is an independent clinic that teaches ${brand.name}, a knee mobility protocol. Ask for an appointment.`,
  provider: (provider: string) => `${provider} is an independent clinic that teaches ${brand.name}.`,
  policy: (title: string) => `${title}: ${brand.name}.`,
} as const;
