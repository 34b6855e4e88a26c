import { counted } from '#shared/formats/writing.ts';

/** Messages about the provider sync, for staff and for those who keep the providers' records. */

/** Why one provider was skipped. Quoted values are truncated. */
export const skipMessages = {
  noObject: 'It isn’t a JSON object.',
  noId: 'It has no WordPress ID.',
  badId: 'Its WordPress ID must be a whole number above 0.',
  repeated: 'Its WordPress ID appears earlier in the same data. The first one is used.',
  missing: (field: string) => `Its ${field} is missing.`,
  tooLong: (field: string, lengthMax: number) => `Its ${field} is longer than ${lengthMax} characters.`,
  notText: (field: string) => `Its ${field} must be text.`,
  lostDigits: (field: string) => `Its ${field} is a number with too many digits. Send it as text.`,
  markup: (field: string) => `Its ${field} contains markup.`,
  encoding: (field: string) => `Its ${field} has characters that were lost in a conversion (\ufffd).`,
  zip: (typed: string) => `“${typed}” isn’t a five-digit US ZIP code.`,
  zipLostZero: (typed: string) =>
    `“${typed}” isn’t a five-digit US ZIP code. A spreadsheet may have removed its leading zero.`,
  unknownZip: (zip: string) => `${zip} isn’t a US ZIP code.`,
  email: 'Its email address isn’t valid.',
  phone: 'Its phone number isn’t valid.',
  notNumber: (field: string) => `Its ${field} must be a number of degrees.`,
  swapped: 'Its latitude and longitude are swapped.',
  range: (field: string) => `Its ${field} is out of range.`,
  farFromZip: (miles: number, zip: string) =>
    `Its coordinates are ${miles.toLocaleString('en-US')} miles from its ZIP code ${zip}.`,
  url: (field: string) => `Its ${field} must be an http or https URL.`,
  googleAdsId: 'Its Google Ads ID must look like AW-123456789 or AW-123456789/label.',
  bingAdsId: 'Its Microsoft Ads ID must be the number of a UET tag.',
  yesOrNo: (field: string) => `Its ${field} must be yes or no.`,
  unexpected: (field: string, expected: string) => `Its ${field} must be ${expected}.`,
  protected: 'Its post is protected by a password.',
  /** `number` is that provider's id in WordPress, null if it exists only here. */
  domainTaken: (domain: string, name: string, number: number | null) =>
    `Its domain ${domain} belongs to “${name}”${number === null ? '' : ` (WordPress ${number})`}.`,
} as const;

/** What was left out of one provider's row, or needs a look. `reason` is of `skipMessages`. */
export const warningMessages = {
  dropped: (reason: string) => `${reason} It was left out.`,
  /** The status stays as it is; a new provider is inactive. */
  status: (typed: string) => `Its status “${typed}” isn’t recognized, so its status was not changed.`,
  firstPhone: 'Its phone number has more than one number. The first one is used.',
  firstPictures: (max: number) => `It has more than ${max} pictures. The first ${max} are used.`,
  phoneOnly: 'Its phone number has other text. Only the number is used.',
  goneAnyway: (reason: string) => `${reason} It is deactivated all the same.`,
  /** `name` is a provider's that is only here. */
  unconfirmed: (name: string) =>
    `It has the email address and ZIP code of “${name}”, which exists only here. It stays inactive until staff confirm that they are one.`,
} as const;

/** What a source wrote in a wrong column may be personal: an alert goes to people's mailboxes. */
function withoutContacts(reason: string): string {
  return reason.replace(/“[^”]*(?:@|(?:\d\D?){7})[^”]*”/g, '“…”');
}

/** Alerts about single providers. Reasons are sentences of `skipMessages` and `warningMessages`. */
export const providerAlerts = {
  skipped: (name: string, reason: string) =>
    `${name} is active with old data: its row was skipped by the provider sync. ${withoutContacts(reason)}`,
  moreSkipped: (count: number) =>
    `${count.toLocaleString('en-US')} more active providers were skipped by the provider sync. See the run’s details.`,
  status: (name: string, reason: string) => `${name}: ${withoutContacts(reason)}`,
  moreUnknown: (count: number) =>
    `${count.toLocaleString('en-US')} more providers have a status that isn’t recognized. See the run’s details.`,
  unconfirmed: (name: string, other: string) =>
    `${name} of the provider sync has the email address and ZIP code of ${other}, which exists only here. It stays inactive until staff confirm whether they are one.`,
  moreUnconfirmed: (count: number) =>
    `${count.toLocaleString('en-US')} more providers wait until staff confirm them. See the run’s details.`,
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
  interrupted: 'The run was interrupted. Nothing was changed.',
  stopped: 'The process stopped while it was reading. Nothing was changed.',
  ownFault: 'An internal error occurred. See the log. Nothing was changed.',
  empty: 'No providers were returned. Nothing was changed.',
  tooManyGone: (gone: number, active: number, limitPercent: number) =>
    `It would deactivate ${gone} of ${active} providers, more than ${limitPercent}%. Nothing was changed.`,
  tooManyDomains: (losing: number, having: number, limitPercent: number) =>
    `It would remove the domain of ${losing} of the ${having} providers that have one, more than ${limitPercent}%. Nothing was changed.`,
  /** `reason` is a sentence. */
  pushRefused: (reason: string) =>
    `${reason} Pushes of one hour count together. To push all the same, add ?force=true.`,
  endlessConflicts: 'Too many providers would swap domains. Nothing was changed.',
  notAllNumbered: 'Some had no WordPress ID, so no provider was deactivated.',
  fewerThanAnnounced: (total: number, returned: number) =>
    `WordPress announced ${total} providers and returned ${returned}.`,
  /** Values that are lost, by field. */
  emptied: (fields: readonly { field: string; count: number }[], isDryRun: boolean) =>
    `${isDryRun ? 'It would empty' : 'It emptied'} ${counted(
      fields.reduce((sum, { count }) => sum + count, 0),
      'value',
    )}: ${fields.map(({ field, count }) => `${field} ${count.toLocaleString('en-US')}`).join(', ')}.`,
  /** `reasons` are sentences. */
  allSkipped: (count: number, reasons: readonly string[]) =>
    `${count === 1 ? 'The only row was' : `All ${count.toLocaleString('en-US')} rows were`} skipped: ${reasons.join(' ')}`,
} as const;

function record(reasons: Record<string, string>): Readonly<Record<string, string | undefined>> {
  return reasons;
}

const saveAs = 'In a spreadsheet, choose Save As and the type “CSV UTF-8”, and import that file.';
const listed = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');

/** For the end of a sentence. */
function inFront(firewall: string): string {
  return `${firewall} answers for the site. Let the sync pass there, by WORDPRESS_USER_AGENT or this server’s address.`;
}

/** What is wrong with a source, for staff. `what` is the request, such as 'Page 3'. */
export const sourceMessages = {
  unreachable: (what: string, why: string) => `${what} could not be read: ${why}.`,
  timedOut: 'no response in time',
  cut: 'the response was incomplete',
  network: record({
    ECONNREFUSED: 'the connection was refused',
    ENOTFOUND: 'the name doesn’t resolve',
    EAI_AGAIN: 'the name could not be looked up',
    UND_ERR_CONNECT_TIMEOUT: 'no response',
  }),
  webPage: (what: string, status: number, firewall: string | null) =>
    `${what} returned a web page instead of data (HTTP ${status}). It may be a login page or a firewall${firewall === null ? '.' : `: ${inFront(firewall)}`}`,
  /** `notice`: the kind of a PHP message in it. */
  notJson: (what: string, notice: string | null) =>
    `${what} is not valid JSON.${notice === null ? '' : ` PHP printed a message (${notice}) with it: set WP_DEBUG_DISPLAY to false in wp-config.php, and fix what it says.`}`,
  notList: (what: string) => `${what} is not a list of providers.`,
  tooLarge: (what: string, mebibytes: number) => `${what} is larger than ${mebibytes} MiB.`,
  redirected: (to: string) => `WordPress redirects to ${to}. Set WORDPRESS_URL to that address.`,
  credentials: 'WordPress does not accept WORDPRESS_USER and WORDPRESS_APP_PASSWORD.',
  refused: (what: string, status: number, firewall: string | null) =>
    `${what} was refused (HTTP ${status}).${firewall === null ? '' : ` Perhaps by a firewall: ${inFront(firewall)}`}`,
  /** Something between us and WordPress, which may accept the account. */
  blocked: (path: string, status: number, firewall: string | null) =>
    `The site blocks ${path} (HTTP ${status}), perhaps a security plugin${firewall === null ? '.' : ` or a firewall: ${inFront(firewall)}`}`,
  noSuchType: (type: string) =>
    `WordPress has no REST route for the type “${type}” (HTTP 404). Check that its REST API, pretty permalinks and the type’s show_in_rest are on.`,
  noEditRight: (type: string) =>
    `The WordPress account can’t read unpublished records: it lacks permission to edit the type “${type}” (edit_posts, or the type’s own). Give it the Editor role.`,
  status: (what: string, status: number) => `${what} returned HTTP ${status}.`,
  busy: (
    what: string,
    status: number,
    { attempts, firewall }: { attempts: number; firewall: string | null },
  ) =>
    `${what} returned HTTP ${status} ${attempts} times.${firewall === null ? '' : ` Perhaps a firewall did: ${inFront(firewall)}`}`,
  waitsTooLong: (what: string, seconds: number) => `${what} can’t be retried for ${seconds} s.`,
  /** `why` is a sentence. */
  noPictures: (why: string) => `Pictures were not read: ${why} Providers keep those that they have.`,
  endless: 'WordPress keeps returning the same page.',
  tooMany: (max: number) => `There are more than ${max.toLocaleString('en-US')} providers.`,
  noFile: (name: string) => `${name} could not be opened.`,
  cutRead: (name: string) => `${name} could not be read completely.`,
  format: (name: string) => `${name} must be a .json, .ndjson or .csv file. ${saveAs}`,
  cutFile: 'The file is incomplete.',
  badLine: (line: number) => `Line ${line} is not valid JSON.`,
  badElement: (position: number) => `Element ${position} is not valid JSON.`,
  workbook: `The file is a spreadsheet’s workbook, not CSV. ${saveAs}`,
  notText: `The file isn’t text. ${saveAs}`,
  /** `line` is null if it isn't known. */
  notUtf8: (line: number | null) =>
    `The file isn’t UTF-8${line === null ? '' : ` (line ${line.toLocaleString('en-US')})`}. ${saveAs}`,
  noHeader: 'The file has no header with the names of its columns.',
  noIdColumn: 'The file has no column wordpress_id, which says whose row it is.',
  oneColumn: 'The header has one column. Separate columns with commas, semicolons or tabs.',
  sameField: (names: readonly string[], field: string) =>
    `The columns ${listed(names)} have the same meaning: ${field}. Remove all but one.`,
  unknownColumns: (names: readonly string[], known: readonly string[]) =>
    `The file has columns with unknown names: ${listed(names)}. Nothing was changed. Known are ${known.join(', ')}. ` +
    'Rename or remove them, or leave them out with --ignore-unknown.',
  leftOut: (names: readonly string[]) => `Columns that were not imported: ${listed(names)}.`,
  cellCount: (line: number, count: number, expected: number) =>
    `Line ${line.toLocaleString('en-US')} has ${count} cells, and the header has ${expected}.${
      count < expected
        ? ' A spreadsheet may have left out empty cells: move a column that is always filled to the end.'
        : ''
    }`,
  /** `detail`: sentences about that row. */
  atLine: (line: number, detail: string) => `Line ${line.toLocaleString('en-US')}: ${detail}`,
  quote: (line: number) =>
    `Line ${line.toLocaleString('en-US')} has a quotation mark that isn’t closed, or isn’t doubled inside its cell.`,
} as const;
