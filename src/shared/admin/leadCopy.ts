import { counted, distanceText, totalText } from '../formats/writing.ts';
import type { LeadFilter, UnreachableCause } from './adminLeads.ts';
import { taskCopy } from './taskCopy.ts';
import type { WorklistGroup } from './worklist.ts';
import type { MatchMethod, QuarantineReason } from '../leads/quarantine.ts';
import type { identityKinds, SuppressionReason, WithdrawalWay } from '../leads/suppression.ts';

const names = new Intl.ListFormat('en-US', { type: 'conjunction' });
const overLimit = 'Over limit: waiting to be delivered';
const quarantined = 'Quarantined';
const filledHoneypot = 'Hidden field filled';
const clinicNotReached = 'Clinic not reached';

export const leadCopy = {
  caption: 'Leads',
  columns: {
    contact: 'Contact',
    zip: 'Zip Code',
    provider: 'Provider',
    date: 'Date',
    crm: 'CRM Sync',
    actions: 'Actions',
  },
  badges: {
    unmatched: 'Unmatched',
    inactive: 'Inactive',
    repeat: 'Repeat',
    quarantined,
    overLimit,
    filledHoneypot,
    erased: 'Erased',
  },
  unreachable: { bounce: 'Email bounced', complaint: 'Reported as spam' } satisfies Record<
    UnreachableCause,
    string
  >,
  /** The specified values of the column. */
  crm: { pending: 'Pending', success: 'success', failed: 'failed' },
  /** In place of a status that no delivery will change. */
  notSent: 'Not sent',
  clinicNotReached,
  /** An email to a provider after a failed attempt. */
  clinicRetrying: 'Not delivered yet',
  /** Before 'in 4 minutes'. */
  nextAttempt: 'Next attempt',
  unknownProvider: (id: number) => `Provider #${id}`,
  pick: {
    placeholder: 'Match with provider...',
    change: 'Change provider',
    heading: 'Select Provider',
    search: 'Search by name or ZIP',
    none: 'No provider found',
    loading: 'Loading providers…',
    unplaced: 'This ZIP code can’t be located. Sorted by name.',
    current: 'Current',
    nearest: 'Assign each to its nearest',
    item: (name: string, zipCode: string) => `${name} - ${zipCode}`,
  },
  resendEmail: 'Resend Email',
  resendEmailHint: 'Sends the email to the lead again, not the one to the provider',
  resendToProvider: 'Resend to provider',
  retrySync: 'Retry CRM Sync',
  remove: 'Delete',
  release: 'Release',
  restore: 'Restore',
  reassign: {
    title: (count: number) =>
      `Reassign ${count === 1 ? 'this lead' : `${count.toLocaleString('en-US')} leads`}?`,
    names: (count: number, providers: readonly string[]) =>
      `The consent of ${count === 1 ? '1 lead' : `${count.toLocaleString('en-US')} leads`} names ${names.format(providers)}.`,
    warning: 'It may not cover contact by another provider.',
    confirm: 'Reassign anyway',
  },
  /** Before several leads are assigned. */
  distances: {
    title: (count: number, provider: string | null) =>
      `Assign ${counted(count, 'lead')} to ${provider ?? 'the nearest providers'}?`,
    /** '12 to 459 miles' */
    range: ({ least, most }: { least: number; most: number }) => {
      const [from, to] = [distanceText(least), distanceText(most)];
      return from === to ? to : `${from.replace(/ miles?$/, '')} to ${to}`;
    },
    outside: (count: number, radius: number) =>
      `${count.toLocaleString('en-US')} ${count === 1 ? 'is' : 'are'} outside the ${radius.toLocaleString('en-US')}-mile radius.`,
    unplaced: (count: number) => `The distance of ${counted(count, 'lead')} is unknown.`,
    notPlaced: (count: number) =>
      count === 1
        ? 'The ZIP code of 1 lead can’t be located. It stays as it is.'
        : `The ZIP codes of ${counted(count, 'lead')} can’t be located. They stay as they are.`,
    kept: (count: number) =>
      `${counted(count, 'lead')} ${count === 1 ? 'has its' : 'have their'} nearest provider already.`,
    none: 'Each of these leads has its nearest provider already, or none can be found.',
    confirm: (count: number) => `Assign ${counted(count, 'lead')}`,
    failed: 'Failed to measure the distances',
  },
  suppress: {
    action: 'Do not contact',
    title: (name: string) => `Do not contact ${name}?`,
    text: 'No one will contact this email address or phone number again. Anything still queued for a lead with either one is canceled, and each provider that has their details is asked to stop. Only an owner can lift this.',
  },
  open: (name: string) => `Open ${name}`,
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all on this page',
  loading: 'Loading leads',
  total: (total: number, isEstimate: boolean) => `Total: ${totalText(total, isEstimate)} leads`,
  pager: 'Pages of leads',
  zone: (zone: string) => `Times in ${zone}`,
  empty: {
    title: 'No leads yet',
    text: 'New leads appear here. Reload the page to check for them.',
    filteredTitle: 'No matching leads',
    filteredText: 'Remove a filter or shorten your search.',
    pastTitle: 'This page is empty now',
    pastText: 'Go back to the previous page.',
    first: 'Go to page 1',
  },
  bulk: {
    label: 'Selected leads',
    count: (count: number) => `${count.toLocaleString('en-US')} selected`,
    assign: 'Assign provider',
    retry: 'Retry CRM Sync',
    release: 'Release from quarantine',
    restore: 'Restore',
    remove: 'Delete',
    clear: 'Clear selection',
    selectMatching: (count: number) => `Select all ${count.toLocaleString('en-US')} matching`,
    selectFailed: 'Failed to select all leads',
  },
} as const;

export const leadFilterCopy = {
  label: 'Filters',
  search: 'Search leads',
  searchHint: 'Name, email, phone, ZIP or number',
  provider: 'Provider',
  match: 'Match',
  status: 'CRM status',
  quarantine: 'Quarantine',
  from: 'From',
  to: 'To',
  all: 'All',
  matched: 'Matched',
  unmatched: 'Unmatched',
  quarantined,
  notQuarantined: 'Not quarantined',
  hidden: 'Hidden',
  overLimit,
  repeats: 'Repeats',
  repeat: 'Only repeats',
  notRepeat: 'Hide repeats',
  deleted: 'Deleted',
  onlyDeleted: 'Only deleted',
  notDeleted: 'Hide deleted',
  outcome: 'Outcome',
  noOutcome: 'None yet',
  outcomeIs: (outcome: string) => `Outcome: ${outcome}`,
  delivery: 'Delivery',
  deliveries: {
    failed: 'Delivery failed',
    clinic: clinicNotReached,
  } satisfies Record<NonNullable<LeadFilter['delivery']>, string>,
  statusIs: (status: string) => `CRM: ${status}`,
  providerIs: (name: string) => `Provider: ${name}`,
  since: (date: string) => `Since ${date}`,
  until: (date: string) => `Until ${date}`,
  searchIs: (text: string) => `“${text}”`,
  pickProvider: 'All providers',
  clear: 'Clear filters',
  removeFilter: (filter: string) => `Remove filter: ${filter}`,
} as const;

export const leadDetailCopy = {
  title: 'Lead',
  number: (id: number) => `Lead #${id}`,
  loading: 'Loading the lead…',
  contact: 'Contact',
  sent: 'Sent',
  match: 'Match',
  provider: 'Provider',
  providerPhone: 'Provider’s phone',
  providerEmail: 'Provider’s email',
  reason: 'Reason',
  method: 'Matched by',
  distance: 'Distance',
  candidates: 'Nearest providers',
  allCandidates: (count: number) => `Show all ${count.toLocaleString('en-US')}`,
  consent: 'Consent',
  noConsent: 'No consent record was found.',
  consentText: 'Consent text',
  version: 'Version',
  purpose: 'Purpose',
  namedProvider: 'Provider named',
  form: 'Form',
  prechecked: 'Box checked beforehand',
  isPrechecked: (prechecked: boolean) => (prechecked ? 'Yes' : 'No'),
  agreed: 'Agreed',
  clientClock: 'Agreed, by the person’s clock',
  address: 'IP address',
  userAgent: 'Browser',
  page: 'Page',
  host: 'Host',
  seal: 'Evidence',
  sealed: 'Sealed',
  unsealed: 'Sealing…',
  attribution: 'Attribution',
  touches: { first: 'First visit', last: 'Last visit' },
  repeats: 'Other leads from this person',
  thisLead: 'This lead',
  history: 'History',
  nobodyFound: 'No provider was found.',
  consentNames: (provider: string) => `the consent names ${provider}`,
  outcome: 'Outcome',
  noOutcome: 'No outcome yet',
  pendingReturn: ': takes effect in five minutes, unless the clinic changes it',
  latestOutcome: 'Latest',
  recordOutcome: 'Outcome reported by the provider',
  noHistory: 'No history yet.',
  deliveries: 'All deliveries of this lead',
  by: (who: string) => `by ${who}`,
  quarantine: quarantined,
  honeypot: filledHoneypot,
  filledHoneypot: 'Perhaps by a password manager, perhaps by a bot. Look at the request before you call.',
  suppressed: 'Do not contact',
  suppressedNotice: 'Nothing is sent about this lead, and nobody may contact this person.',
  deleted: 'Deleted',
  deletedNotice: (when: string) =>
    `This lead was deleted on ${when}. You can restore it for 30 days; after that it’s deleted permanently.`,
} as const;

/** How a lead was matched; null if it was not. */
export const matchMethodNames: Readonly<Record<MatchMethod, string | null>> = {
  tenant: 'the provider’s own site',
  requested: 'the visitor’s choice',
  nearest: 'distance',
  manual: 'staff',
  none: null,
};

/** The quarantine reason for staff. */
export const quarantineReasonNames: Readonly<Record<QuarantineReason, string>> = {
  honeypot: 'Filled in a hidden field (likely a bot)',
  'token-missing': 'Sent without a form token',
  'token-early': 'Sent faster than a person types',
  'token-expired': 'Sent from a form that was open for more than 24 hours',
  'token-forged': 'Sent with an invalid form token',
  'foreign-origin': 'Sent from another website',
  burst: 'Too many leads at once for one clinic or phone number, sent without a form',
  'over-limit':
    'Too many leads for one clinic or phone number, or too many leads from one network. It is delivered within four hours.',
};

/** The same for a reason that the history has as text; an unknown one unchanged. */
export function quarantineReasonName(reason: string): string {
  return new Map(Object.entries(quarantineReasonNames)).get(reason) ?? reason;
}

/** Names of history entries; an unknown kind unchanged. */
export const leadEventNames: Readonly<Record<string, string>> = {
  created: 'Received',
  'honeypot-filled': 'A field that people don’t see was filled in',
  consented: 'Agreed to be contacted',
  matched: 'Matched',
  assigned: 'Assigned',
  unassigned: 'Assignment undone',
  'taken-away': 'Taken away from its provider',
  corrected: 'Corrected',
  deleted: 'Deleted',
  restored: 'Restored',
  released: 'Released from quarantine',
  quarantined: 'Quarantined',
  viewed: 'Viewed',
  retried: 'Retried',
  rematched: 'Matched again',
  outcome: 'Outcome reported',
  exported: 'Person’s data exported',
  erased: 'Person erased',
  email: 'Email',
  crm: 'CRM',
  delivered: 'Delivered',
  'delivery-failed': 'Delivery failed',
  'delivery-withheld': 'Delivery withheld',
  withdrawn: 'Consent withdrawn',
  ...Object.fromEntries(Object.entries(taskCopy).map(([kind, { title }]) => [kind, title])),
  'task-done': 'Reviewed',
  lifted: 'Do not contact lifted',
};

/** How a consent was withdrawn. */
export const withdrawalNames: Readonly<Record<WithdrawalWay, string>> = {
  page: 'By the link in a message',
  'one-click': 'By the mail program’s unsubscribe button',
  reply: 'By replying STOP to an email',
  complaint: 'By reporting an email as spam',
  staff: 'Recorded by staff',
  erasure: 'When the person was erased',
};

/** What a suppression covers. */
export const identityNames: Readonly<Record<(typeof identityKinds)[number], string>> = {
  email: 'Email',
  phone: 'Phone',
};

/** The suppression section of a lead's drawer. */
export const suppressionCopy = {
  notListed: 'Not listed',
  reasons: {
    unsubscribed: 'Unsubscribed by email',
    withdrawn: 'Withdrew consent',
    'do-not-contact': 'Marked by staff',
    bounced: 'Email bounced',
    erased: 'Person erased',
  } satisfies Record<SuppressionReason, string>,
  since: (when: string, by: string) => `Since ${when}, by ${by}`,
  lift: 'Lift',
  liftOf: (kind: string) => `Lift: ${kind}`,
  liftTitles: {
    email: 'Lift “Do not contact” for this email address?',
    phone: 'Lift “Do not contact” for this phone number?',
  },
  liftText:
    'This person can be contacted this way again. Canceled deliveries stay canceled until you retry them. The withdrawal stays in the history.',
  reason: 'Reason',
  reasonHint: '3 to 200 characters, kept in the audit log. No email addresses or phone numbers.',
} as const;

/** The worklist. */
export const worklistCopy = {
  label: 'Needs attention',
  groups: {
    clinic: clinicNotReached,
    crm: 'CRM failed',
    unmatched: 'Unmatched',
    overLimit,
    quarantined,
    returned: 'Returned',
    phone: 'Phone to review',
    mailbox: 'Address to review',
    replies: 'Replies to read',
  } satisfies Record<WorklistGroup, string>,
  /** The number as displayed. */
  count: (count: number, max: number) =>
    count > max ? `${max.toLocaleString('en-US')}+` : count.toLocaleString('en-US'),
} as const;
