/** Messages about the provider sync, for staff and for those who keep the providers' records. */

/** Why one provider was skipped. Quoted values are truncated. */
export const skipMessages = {
  noObject: 'It is not a JSON object.',
  noId: 'It has no WordPress number.',
  badId: 'Its WordPress number is not a whole number above 0.',
  repeated: 'Its WordPress number came before in the same data; the first one counts.',
  missing: (field: string) => `Its ${field} is missing.`,
  tooLong: (field: string, lengthMax: number) => `Its ${field} is longer than ${lengthMax} characters.`,
  notText: (field: string) => `Its ${field} is not a text.`,
  markup: (field: string) => `Its ${field} holds markup.`,
  zip: (typed: string) => `“${typed}” is not a US ZIP code of five digits.`,
  unknownZip: (zip: string) => `No US ZIP code begins as ${zip} does.`,
  email: 'Its e-mail address is not valid.',
  phone: 'Its phone number is not one.',
  notNumber: (field: string) => `Its ${field} is not a number of degrees.`,
  swapped: 'Its latitude and longitude are the wrong way round.',
  range: (field: string) => `Its ${field} is beyond what there is.`,
  farFromZip: (miles: number, zip: string) =>
    `Its coordinates are ${miles.toLocaleString('en-US')} miles from its ZIP code ${zip}.`,
  url: (field: string) => `Its ${field} is not an http or https address.`,
  googleAdsId: 'Its Google Ads id does not look like AW-123456789 or AW-123456789/label.',
  bingAdsId: 'Its Microsoft Ads id is not the number of a UET tag.',
  yesOrNo: (field: string) => `Its ${field} is neither yes nor no.`,
  status: (typed: string) => `Its status “${typed}” is not known.`,
  /** `number` is that provider's id in WordPress, null if it exists only here. */
  domainTaken: (domain: string, name: string, number: number | null) =>
    `Its domain ${domain} belongs to “${name}”${number === null ? '' : ` (WordPress ${number})`}.`,
} as const;

/** Names of fields in messages, by column. */
export const fieldMessages = {
  name: 'name',
  practice_name: 'practice name',
  address: 'address',
  zip_code: 'ZIP code',
  status: 'status',
  latitude: 'latitude',
  longitude: 'longitude',
  phone: 'phone number',
  email: 'e-mail address',
  website: 'website',
  url: 'page address',
  domain: 'domain',
  google_ads_id: 'Google Ads id',
  bing_ads_id: 'Microsoft Ads id',
  image_url: 'picture',
  logo_url: 'logo',
  accepts_free_consultation: 'free consultation',
  accepts_financing: 'financing',
} as const;

function ago(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** Why a run did not start, was refused, failed, or did less than requested. */
export const runMessages = {
  notConfigured: 'Provider sync is not configured.',
  busy: 'A sync is already running.',
  busySince: (seconds: number, by: string) =>
    `A sync is already running (started ${ago(seconds)} ago by ${by}).`,
  interrupted: 'Its process ended in the middle. Nothing was changed.',
  stopped: 'Its process was stopped while it read. Nothing was changed.',
  ownFault: 'It failed on our side; the log says why. Nothing was changed.',
  empty: 'There was not a single clinic. Nothing was changed.',
  tooManyGone: (gone: number, active: number, limitPercent: number) =>
    `It would turn ${gone} of ${active} clinics inactive, which is more than ${limitPercent} %. Nothing was changed.`,
  tooManyDomains: (losing: number, having: number, limitPercent: number) =>
    `It would take the domain from ${losing} of ${having} clinics that have one, which is more than ${limitPercent} %. Nothing was changed.`,
  endlessConflicts: 'The domains of too many clinics hang on one another. Nothing was changed.',
  notAllNumbered: 'Some had no WordPress number, so no clinic was taken for gone.',
  /** `reasons` are sentences. */
  allSkipped: (count: number, reasons: readonly string[]) =>
    `${count === 1 ? 'The only row was' : `All ${count.toLocaleString('en-US')} rows were`} skipped: ${reasons.join(' ')}`,
  fewerThanTold: (told: number, given: number) => `WordPress told of ${told} clinics and gave ${given}.`,
} as const;

function record(reasons: Record<string, string>): Readonly<Record<string, string | undefined>> {
  return reasons;
}

/** What is wrong with a source, for staff. `what` is the request, such as 'Page 3'. */
export const sourceMessages = {
  unreachable: (what: string, why: string) => `${what} could not be read: ${why}.`,
  timedOut: 'no answer in time',
  cut: 'the answer was cut off',
  network: record({
    ECONNREFUSED: 'nobody answers there',
    ENOTFOUND: 'its name leads nowhere',
    EAI_AGAIN: 'its name could not be looked up',
    UND_ERR_CONNECT_TIMEOUT: 'nobody answers there',
  }),
  webPage: (what: string, status: number) =>
    `${what} came as a web page instead of data (HTTP ${status}): a login page, or a firewall’s.`,
  notJson: (what: string) => `${what} is not valid JSON.`,
  notList: (what: string) => `${what} is not a list of clinics.`,
  tooLarge: (what: string, mebibytes: number) => `${what} is larger than ${mebibytes} MiB.`,
  redirected: (to: string) => `WordPress redirects to ${to}. Set WORDPRESS_URL to where it is.`,
  credentials: 'WordPress does not accept WORDPRESS_USER and WORDPRESS_APP_PASSWORD.',
  refused: (what: string, status: number) => `${what} was refused (HTTP ${status}).`,
  noSuchType: (type: string) =>
    `WordPress has no REST answer for the type “${type}” (HTTP 404). Are its REST API, its pretty permalinks and the type’s show_in_rest on?`,
  noEditRight: (type: string) =>
    `The WordPress account may not see what is not published: it lacks the right to edit the type “${type}” (edit_posts, or the type’s own). Give it the role Editor.`,
  status: (what: string, status: number) => `${what} was answered with HTTP ${status}.`,
  busy: (what: string, status: number, attempts: number) =>
    `${what} was answered with HTTP ${status} ${attempts} times.`,
  waitsTooLong: (what: string, seconds: number) => `${what} may be asked for again in ${seconds} s only.`,
  endless: 'WordPress gives the same clinics again and again.',
  tooMany: (max: number) => `There are more than ${max.toLocaleString('en-US')} clinics.`,
  noFile: (name: string) => `${name} could not be opened.`,
  cutRead: (name: string) => `${name} could not be read to its end.`,
  format: (name: string) => `${name} is neither .json nor .ndjson nor .csv.`,
  cutFile: 'The file ends in the middle.',
  badLine: (line: number) => `Line ${line} is not valid JSON.`,
  badElement: (position: number) => `Element ${position} is not valid JSON.`,
  badCsv: (why: string) => `The CSV can’t be read: ${why}`,
} as const;
