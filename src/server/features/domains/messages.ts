const list = (items: readonly string[]): string => items.join(', ');

export const domainCheckMessages = {
  none: 'The provider has no domain. Its page is on the main site.',
  noPage: 'There is no page to check without a domain.',
  notYet: 'Checked once the domain points here.',
  busy: 'Several domains are being checked already. Please try again in a few seconds.',
  dns: {
    here: (name: string, found: readonly string[]) => `${name} points here: ${list(found)}.`,
    leadsTo: (name: string, found: readonly string[]) => `${name} points to ${list(found)}.`,
    elsewhere: (name: string, found: readonly string[], alias: string | null) =>
      `${name} points to ${list(found)}${alias === null ? '' : ` through ${alias}`}, not here.`,
    partly: (name: string, wrong: readonly string[]) =>
      `${name} points here, but also to ${list(wrong)}. Visitors sent there don’t see the provider’s page.`,
    expected: (addresses: readonly string[]) => `Expected: ${list(addresses)}.`,
    missing: (name: string) => `${name} does not exist in DNS.`,
    empty: (name: string) => `${name} exists in DNS but has no address.`,
    late: 'DNS didn’t respond in time. Try again in a minute.',
    failed: (name: string, code: string) => `The name server of ${name} returned an error (${code}).`,
    unsure: 'This service’s own addresses are unknown. Set SITE_ADDRESSES.',
    wwwElsewhere: (name: string) => `${name} doesn’t point here. Visitors who type it see another site.`,
    wwwMissing: (name: string) => `${name} doesn’t exist. Visitors who type it see an error.`,
  },
  page: {
    own: (label: string) => `${label} responds with its page.`,
    brand: 'This service responds with the main site, because it doesn’t know the domain yet.',
    inactive: 'This service responds with the main site, because the provider is inactive.',
    otherProvider: (label: string) => `Another provider’s page responds: ${label}.`,
    foreign: 'A different website responds at this domain.',
    status: (status: number) => `The page responds with status ${status} instead of 200.`,
    certificate: (code: string) => `The certificate isn’t valid for this name yet (${code}).`,
    refused: (host: string) => `No response from ${host}.`,
    late: 'The page didn’t respond in time.',
    cut: 'The response was incomplete.',
    redirected: (host: string) => `The page redirects visitors to ${host}.`,
    looping: 'The page redirects in a loop.',
    notPublic: 'The domain points to a private address, so it wasn’t checked.',
  },
} as const;
