import { brand } from './brand.ts';

/** Titles and descriptions of the brand's own screens, for windows, search engines and shared links. */
export const pageTexts = {
  landing: { title: `${brand.name}: more bend for stiff knees`, description: brand.description },
  variant: {
    title: `Stiff knees, patient practice | ${brand.name}`,
    description: `${brand.name} trains stiff knees without surgery. Ask a clinic near you for a free first look.`,
  },
  quiz: {
    title: `Two questions to your knee clinic | ${brand.name}`,
    description: `Where you live, then how to reach you: a clinic that teaches ${brand.name} answers you.`,
  },
  find: {
    title: `Knee clinics near you | ${brand.name}`,
    description: `Your ZIP code leads to the clinic nearest to you that teaches ${brand.name}.`,
  },
  recruitment: {
    title: `Teach ${brand.name} at your clinic`,
    description: `Add ${brand.name}, a knee mobility protocol, to what your clinic offers.`,
  },
  map: {
    title: `Map of knee clinics | ${brand.name}`,
    description: `Every clinic that teaches ${brand.name}, mapped and listed.`,
  },
} as const;

/** Descriptions of the screens that are about a clinic or a document; the name is printed as it is. */
export const pageDescriptions = {
  microsite: (provider: string) =>
    `${provider} is an independent clinic that teaches ${brand.name}, a knee mobility protocol. Ask for an appointment.`,
  provider: (provider: string) => `${provider} is an independent clinic that teaches ${brand.name}.`,
  policy: (title: string) => `${title}: ${brand.name}.`,
} as const;
