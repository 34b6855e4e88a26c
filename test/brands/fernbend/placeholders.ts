/** A picture and name of somebody else's, which only a licensee with their permission can fill in. Hidden while either is null. */
export interface PartnerEntry {
  id: string;
  name: string | null;
  /** Same-origin path, https address or inline image. */
  logoUrl: string | null;
}

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

export interface Testimonial {
  quote: string;
  author: string;
  /** What the author is, and the permission to quote. */
  role: string;
}

export const testimonial: Testimonial | null = null;

export interface ExplainerVideo {
  /** The player's page, framed once somebody asks for it; its host alone is then allowed in the content security policy. */
  url: string;
  /** Same-origin path or inline picture; null draws one. */
  poster: string | null;
  title: string;
}

/** The explainer video; null shows the parts of the protocol, drawn, in its place. */
export const explainerVideo: ExplainerVideo | null = null;
