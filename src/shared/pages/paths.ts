/** The routes of the product that exist; the server answers 404 for any other page. */
export const paths = {
  home: '/',
  microsite: '/microsite',
  variant: '/homev2',
  quiz: '/start',
  find: '/find',
  recruitment: '/clinics',
  map: '/map',
  success: '/success',
  privacy: '/privacy',
  terms: '/terms',
  refunds: '/refunds',
  /** The staff's dashboard, on the main site only, under two addresses. */
  admin: '/admin',
  gate: '/getmpx',
} as const;

/** Tells the ad networks of a lead, in a frame of its own (server/render/adFrame.ts). With a clinic's id on the main site's microsite of it. */
export function adFramePath(providerId: number | null): string {
  return providerId === null ? '/ads/conversion' : `/ads/conversion/${providerId}`;
}

/** Where the plain form of a provider's application leads: its page, at the place where the form was. */
export const appliedPath = `${paths.recruitment}?applied=true#provider-form`;

/** Where a lead's author lands. */
export function successPath(providerId: number | undefined): string {
  return providerId === undefined
    ? `${paths.success}?noProvider=true`
    : `${paths.success}?providerId=${providerId}`;
}

/** The page on which a lead's author withdraws, by the signed piece of a message's link. */
export function withdrawPath(token: string): string {
  return `/withdraw/${token}`;
}

/** The page on which a clinic tells what came of a lead, likewise. */
export function outcomePath(token: string): string {
  return `/outcome/${token}`;
}
