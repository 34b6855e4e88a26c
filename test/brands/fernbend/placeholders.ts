import type { ExplainerVideo, PartnerEntry, Testimonial } from '#shared/pages/brandContent.ts';

const drawing =
  'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%2096%2032%22%3E%3Crect%20width=%2296%22%20height=%2232%22%20fill=%22%230b4a3f%22/%3E%3C/svg%3E';

/** Unlike the first brand, this one has set all its entries: fictional names, and the same drawing for each. */
export const pressLogos: readonly PartnerEntry[] = ['1', '2', '3', '4', '5', '6', '7', '8'].map((number) => ({
  id: `press-${number}`,
  name: `Sample Gazette ${number}`,
  logoUrl: drawing,
}));

export const financingPartners: readonly PartnerEntry[] = ['1', '2'].map((number) => ({
  id: `financing-${number}`,
  name: `Sample Lender ${number}`,
  logoUrl: drawing,
}));

export const testimonial: Testimonial | null = {
  quote: 'Our patients ask for it by name.',
  author: 'A sample author',
  role: 'sample clinic',
};

export const explainerVideo: ExplainerVideo | null = {
  url: 'https://player.example/embed/1',
  poster: null,
  title: 'How the program works',
};
