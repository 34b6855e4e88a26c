/** The paths of all pages. The server responds 404 for any other. */
export const paths = {
  home: '/',
  microsite: '/microsite',
  variant: '/homev2',
  quiz: '/start',
  find: '/find',
  recruitment: '/clinics',
  map: '/map',
  /** The directory, with a page per state and town below it (directory.ts). */
  providers: '/providers',
  success: '/success',
  study: '/study',
  privacy: '/privacy',
  terms: '/terms',
  refunds: '/refunds',
  /** The staff's dashboard, on the main site only, under two addresses. */
  admin: '/admin',
  gate: '/getmpx',
} as const;

/** The anchor of a page's own form, to which every call to action leads. */
export const providerFormAnchor = 'provider-form';

/** The frame that reports a lead to ad networks (server/render/adFrame.ts). Id: of a microsite on the main site. */
export function adFramePath(providerId: number | null): string {
  return providerId === null ? '/ads/conversion' : `/ads/conversion/${providerId}`;
}

/** The redirect of a provider's plain application: its page, at the form. */
export const appliedPath = `${paths.recruitment}?applied=true#${providerFormAnchor}`;

/** What a visitor should know before the form: costs and risks. */
export const plainTalkAnchor = 'plain-talk';

/** The form to report a problem, and the redirect of a plain report. */
export const problemAnchor = 'report-a-problem';
export const problemReportedPath = `${paths.study}?reported=true#${problemAnchor}`;

/** The study page, which lists the recruitment page's own claims only for a reader who comes from there. */
export function studyPath(from: string): string {
  return paths.study + (from === 'recruitment' ? '?from=clinics' : '');
}

/** The page after a lead is stored. */
export function successPath(providerId: number | undefined): string {
  return providerId === undefined
    ? `${paths.success}?noProvider=true`
    : `${paths.success}?providerId=${providerId}`;
}

/** The page on which a lead withdraws, with the signed token and, if it has one, the signed hash of a message's link. */
export function withdrawPath(token: string, hash: string | null = null): string {
  return `/withdraw/${token}${hash === null ? '' : `?hash=${hash}`}`;
}

/** The page on which a provider reports the outcome of a lead, with such a token. */
export function outcomePath(token: string): string {
  return `/outcome/${token}`;
}

/** The page on which a new provider confirms its address, with such a token. */
export function confirmAddressPath(token: string): string {
  return `/confirm-address/${token}`;
}

/** Sends the browser to the identity provider of single sign-on. */
export const singleSignOnPath = '/sign-in/single-sign-on';

/** The page on which a member of the staff signs in by a link, with such a token. */
export function signInLinkPath(token: string): string {
  return `/sign-in/${token}`;
}

/** In a file of its own, as every page's code includes it for the window's title. */
export const dashboardTitle = 'Admin Dashboard';
