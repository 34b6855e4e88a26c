const list = (items: readonly string[]): string => items.join(', ');

/** Findings of the check of a provider's domain. */
export const domainCheckMessages = {
  none: 'The clinic has no domain. Its page is on the main site.',
  noPage: 'Without a domain there is no page to check.',
  notYet: 'Looked at once the domain leads here.',
  busy: 'Several domains are being checked already. Please try again in a few seconds.',
  dns: {
    here: (name: string, found: readonly string[]) => `${name} leads here: ${list(found)}.`,
    leadsTo: (name: string, found: readonly string[]) => `${name} leads to ${list(found)}.`,
    elsewhere: (name: string, found: readonly string[], alias: string | null) =>
      `${name} leads to ${list(found)}${alias === null ? '' : ` by way of ${alias}`}, not here.`,
    partly: (name: string, wrong: readonly string[]) =>
      `${name} leads here, but also to ${list(wrong)}: visitors sent there don’t see the clinic’s page.`,
    expected: (addresses: readonly string[]) => `Expected: ${list(addresses)}.`,
    missing: (name: string) => `${name} does not exist in DNS.`,
    empty: (name: string) => `${name} exists in DNS but has no address.`,
    late: 'DNS did not answer in time. Try again in a minute.',
    failed: (name: string, code: string) => `The name server of ${name} answered with a fault (${code}).`,
    unsure: 'This service’s own addresses are not known: set SITE_ADDRESSES.',
    wwwElsewhere: (name: string) => `${name} does not lead here; visitors who type it see something else.`,
    wwwMissing: (name: string) => `${name} does not exist; visitors who type it see nothing.`,
  },
  page: {
    own: (label: string) => `The page of ${label} answers.`,
    brand: 'This service answers, but with the brand’s own page: it doesn’t know the domain yet.',
    inactive: 'This service answers with the brand’s own page, because the clinic is inactive.',
    otherProvider: (label: string) => `The page of another clinic answers: ${label}.`,
    foreign: 'Another website answers, not this service.',
    status: (status: number) => `The page answers with status ${status} instead of 200.`,
    certificate: (code: string) => `The certificate is not valid for this name yet (${code}).`,
    refused: (host: string) => `Nothing answers at ${host}.`,
    late: 'The page did not answer in time.',
    cut: 'The page’s answer broke off.',
    redirected: (host: string) => `The page sends visitors on to ${host}.`,
    looping: 'The page sends visitors round in a circle.',
    notPublic: 'The domain leads to an address that is not public; it was not asked.',
  },
} as const;
