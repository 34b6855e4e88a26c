import type { ExplainerVideo, PartnerEntry, Testimonial } from '#shared/pages/brandContent.ts';

function unset(id: string): PartnerEntry {
  return { id, name: null, logoUrl: null };
}

/** The strip of press logos; none is shown that isn't set. */
export const pressLogos: readonly PartnerEntry[] = ['1', '2', '3', '4', '5', '6', '7', '8'].map((number) =>
  unset(`press-${number}`),
);

export const financingPartners: readonly PartnerEntry[] = ['1', '2'].map((number) =>
  unset(`financing-${number}`),
);

export const testimonial: Testimonial | null = null;

/** The explainer video. Null shows drawings of the protocol's parts. */
export const explainerVideo: ExplainerVideo | null = null;
