import { counted, distanceText, totalText } from '../formats/writing.ts';
import { type LeadFilter, type LeadSort, newLeadsMax, type UnreachableCause } from './adminLeads.ts';
import type { WorklistGroup } from './worklist.ts';
import type { SuppressionReason } from '../leads/suppression.ts';

const names = new Intl.ListFormat('en-US', { type: 'conjunction' });
const overLimit = 'Over limit: waiting to be delivered';
export const quarantined = 'Quarantined';
export const filledHoneypot = 'Hidden field filled';
const clinicNotReached = 'Clinic not reached';
const overdue = 'No outcome after 24 h';

export const leadCopy = {
  caption: 'Leads',
  columns: {
    contact: 'Contact',
    zip: 'Zip Code',
    provider: 'Provider',
    stage: 'Stage',
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
    test: 'Test',
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
  more: (name: string) => `More for ${name}`,
  call: (name: string) => `Call ${name}`,
  email: (name: string) => `Email ${name}`,
  noProvider: 'Assign a provider first',
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
    nextNearest: (count: number) =>
      count === 1
        ? 'The nearest provider of 1 lead had it before. It goes to the next nearest.'
        : `The nearest provider of ${counted(count, 'lead')} had them before. They go to the next nearest.`,
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
    text: 'New leads appear here.',
    filteredTitle: 'No matching leads',
    filteredText: 'Remove a filter or shorten your search.',
    viewTitle: 'No leads here now',
    viewText: 'The other views have the rest.',
    all: 'Show all leads',
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
    tooMany: (max: number) => `To select all, narrow the list to ${max.toLocaleString('en-US')} or fewer`,
  },
} as const;

function newLeadsNumber(count: number): string {
  return count < newLeadsMax ? String(count) : `${newLeadsMax - 1}+`;
}

/** Of leads that arrived after the list was loaded. */
export const newLeadsCopy = {
  /** '(2) Admin Dashboard' */
  title: (count: number, title: string) => `(${newLeadsNumber(count)}) ${title}`,
  button: (count: number) => `${newLeadsNumber(count)} new ${count === 1 ? 'lead' : 'leads'}`,
  arrived: 'New leads have arrived.',
  lost: 'Reconnecting…',
} as const;

export const leadFilterCopy = {
  label: 'Filters',
  add: 'Add filter',
  /** The field above the filters and their choices. */
  find: 'Find a filter',
  noneFound: 'No filter found',
  /** Beside the current choice. */
  chosen: 'Current',
  days: 'Date',
  sort: 'Order',
  sorts: {
    '-created_at': 'Newest first',
    created_at: 'Oldest first',
    last_name: 'Last name, A to Z',
    '-last_name': 'Last name, Z to A',
    zip_code: 'ZIP code, ascending',
    '-zip_code': 'ZIP code, descending',
  } satisfies Record<LeadSort, string>,
  done: 'Show leads',
  search: 'Search leads',
  /** Of a search without a hit in a view. */
  searchAll: 'Search all leads',
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
  contacted: 'Reached or booked',
  overdue,
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

/** Fixed filters above the list. */
export const viewsCopy = {
  label: 'Views',
  more: 'More',
  names: {
    all: 'All',
    clinic: clinicNotReached,
    crm: 'CRM failed',
    unmatched: 'Unmatched',
    overdue,
    overLimit,
    quarantined,
    returned: 'Returned',
    phone: 'Phone to review',
    mailbox: 'Address to review',
    replies: 'Replies to read',
    followUp: 'Follow up today',
    deleted: 'Deleted',
  } satisfies Record<WorklistGroup | 'all' | 'followUp' | 'deleted', string>,
  /** The number as displayed. */
  count: (count: number, max: number) =>
    count > max ? `${max.toLocaleString('en-US')}+` : count.toLocaleString('en-US'),
} as const;
