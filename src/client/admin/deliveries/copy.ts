import { deliveriesCountMax } from '#shared/admin/adminDeliveries.ts';
import type { DeliveryState } from '#shared/admin/deliveries.ts';

const number = (value: number): string => value.toLocaleString('en-US');

/** Words of the dashboard's list of deliveries. They are the same whatever the brand. */
export const deliveryListCopy = {
  caption: 'Deliveries',
  loading: 'Loading deliveries',
  loadFailed: 'Failed to load deliveries',
  codeFailed: 'This tab could not be loaded.',
  columns: {
    lead: 'Lead',
    to: 'To',
    state: 'State',
    attempts: 'Tries',
    at: 'Begun',
    by: 'Asked by',
    actions: 'Actions',
  },
  states: {
    queued: 'Queued',
    delivered: 'Delivered',
    failed: 'Failed',
    held: 'Held',
    cancelled: 'Cancelled',
  } satisfies Record<DeliveryState, string>,
  /** While a try is under way. */
  tried: 'Being tried',
  attempts: (count: number) => (count === 1 ? '1 try' : `${number(count)} tries`),
  noAttempts: 'Not tried yet',
  nextAttempt: 'Next',
  deleted: 'Deleted',
  noProvider: 'No provider',
  arrival: 'On arrival',
  openLead: (name: string) => `History of ${name}`,
  total: (total: number, isLeast: boolean) =>
    isLeast ? `Total: ${number(deliveriesCountMax)} deliveries or more` : `Total: ${deliveries(total)}`,
  pager: 'Pages of deliveries',
  select: (what: string) => `Select ${what}`,
  selectAll: 'Select all on this page that can be retried',
  /** 'CRM, Ada Ashgrove' */
  what: (channel: string, name: string) => `${channel}, ${name}`,
  tryNow: 'Try now',
  tryNowOf: (what: string) => `Try now: ${what}`,
  empty: {
    title: 'No deliveries yet',
    text: 'What is sent about a lead appears here as soon as the lead arrives.',
    filteredTitle: 'No delivery fits',
    filteredText: 'Take a filter away.',
    pastTitle: 'Nothing on this page',
    pastText: 'The list has become shorter.',
    first: 'Go to page 1',
    clear: 'Clear filters',
  },
  bulk: {
    label: 'Selected deliveries',
    count: (count: number) => `${number(count)} selected`,
    retry: (count: number) => `Retry ${deliveries(count)}`,
    clear: 'Clear selection',
  },
  retryFailed: 'Failed to queue the deliveries',
  allQueued: (count: number) =>
    count === 1 ? 'The delivery is queued to be tried now' : `${deliveries(count)} queued to be tried now`,
  someQueued: (queued: number, asked: number) =>
    `${number(queued)} of ${deliveries(asked)} queued to be tried now. The others were delivered or cancelled meanwhile, or are being tried already.`,
  noneQueued: (asked: number) =>
    asked === 1
      ? 'The delivery was not queued: it was delivered or cancelled meanwhile, or is being tried already.'
      : `None of the ${deliveries(asked)} was queued: they were delivered or cancelled meanwhile, or are being tried already.`,
  notQueued: 'Nothing to retry',
} as const;

function deliveries(count: number): string {
  return `${number(count)} ${count === 1 ? 'delivery' : 'deliveries'}`;
}

export const deliveryFilterCopy = {
  label: 'Filter deliveries',
  state: 'State',
  channel: 'Channel',
  lead: 'Lead number',
  from: 'Begun from (UTC)',
  to: 'Begun to (UTC)',
  all: 'All',
  clear: 'Clear filters',
} as const;

/** How the queue does. */
export const queueCopy = {
  label: 'Queue',
  loading: 'Loading the queue’s figures',
  loadFailed: 'Failed to load how the queue does',
  queued: 'Waiting',
  oldest: 'Oldest due waits for',
  noneDue: 'None is due',
  failed: 'Failed in 24 hours',
  held: 'Held',
  noneHeld: 'None',
  heldOf: (channel: string, count: number) => `${channel}: ${number(count)}`,
  workers: 'Workers',
  number,
  /** What a figure's link leads to, after the figure. */
  show: { queued: 'waiting: show them', failed: 'failed: show all that failed', held: 'held: show them' },
  warning: 'Deliveries are not going out',
  noWorkers:
    'No worker is connected to the queue. What waits goes out once one is started: with WORKER=inline, or as the process named worker in the Procfile.',
  limitTitle: 'Lead emails are waiting',
  limit:
    'The hourly limit for emails to leads is reached. They go out later; messages to providers and the CRM are not affected. An unusual number of leads may be abuse: check the latest leads. LEAD_EMAILS_PER_HOUR sets the limit.',
  lateTitle: 'Deliveries are late',
  late: 'One that is due has waited for more than a minute. The workers are busy, stuck or cut off: look at their log.',
} as const;
