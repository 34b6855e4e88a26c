/** Why a text can't be a clinic's domain, in sentences for whoever keeps the clinics' records. */
export const domainMessages = {
  empty: 'The domain is empty.',
  malformed: 'The domain is not a host name, such as clinic.com.',
  address: (host: string) => `${host} is an IP address. A domain is a name, such as clinic.com.`,
  single: (host: string) => `${host} has no dot. A domain has at least two parts, such as clinic.com.`,
  underscore: (host: string) => `${host} has an underscore, which a website’s name can’t have.`,
  twiceWww: 'The domain begins with www. twice.',
  reserved: (host: string, ending: string) =>
    `${host} ends in .${ending}, which is reserved: no visitor could reach it.`,
  main: (host: string) => `${host} belongs to the main site.`,
  belowMain: (host: string, mainDomain: string) =>
    `${host} is part of ${mainDomain}, which belongs to the main site.`,
} as const;
