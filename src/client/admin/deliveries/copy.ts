import type { DeliveryState } from '#shared/admin/deliveries.ts';
import { totalText } from '#shared/formats/writing.ts';

const number = (value: number): string => value.toLocaleString('en-US');

/** Texts of the deliveries tab. They are the same for every brand. */
export const deliveryListCopy = {
  caption: 'Deliveries',
  loading: 'Loading deliveries',
  loadFailed: 'Failed to load deliveries',
  columns: {
    about: 'About',
    to: 'To',
    state: 'State',
    attempts: 'Attempts',
    createdAt: 'Created',
    requestedBy: 'Requested by',
    actions: 'Actions',
  },
  states: {
    queued: 'Queued',
    delivered: 'Delivered',
    failed: 'Failed',
    held: 'On hold',
    cancelled: 'Canceled',
  } satisfies Record<DeliveryState, string>,
  inProgress: 'In progress',
  attempts: (count: number) => (count === 1 ? '1 attempt' : `${number(count)} attempts`),
  attemptsOf: (count: string, what: string) => `${count}: ${what}`,
  noAttempts: 'No attempts yet',
  nextAttempt: 'Next',
  deleted: 'Deleted',
  noProvider: 'No provider',
  removedEndpoint: 'Removed endpoint',
  sync: 'Provider sync',
  endpointTest: 'Test',
  onArrival: 'New lead',
  onEvent: 'New event',
  openLead: (name: string) => `Open ${name}`,
  total: (total: number, isLeast: boolean) =>
    isLeast ? `Total: ${totalText(total, isLeast)} deliveries` : `Total: ${deliveries(total)}`,
  pager: 'Pages of deliveries',
  select: (what: string) => `Select ${what}`,
  selectAll: 'Select all on this page that can be retried',
  /** 'CRM, Ada Ashgrove' */
  what: (channel: string, name: string) => `${channel}, ${name}`,
  retry: 'Retry',
  retryOf: (what: string) => `Retry: ${what}`,
  replay: 'Replay',
  replayOf: (what: string) => `Replay: ${what}`,
  empty: {
    title: 'No deliveries yet',
    text: 'Deliveries appear here as soon as a lead arrives.',
    filteredTitle: 'No matching deliveries',
    filteredText: 'Remove a filter to see more.',
    pastTitle: 'This page is empty now',
    pastText: 'Go back to the previous page.',
    first: 'Go to page 1',
    clear: 'Clear filters',
  },
  bulk: {
    label: 'Selected deliveries',
    count: (count: number) => `${number(count)} selected`,
    retry: (count: number) => `Retry ${deliveries(count)}`,
    clear: 'Clear selection',
  },
  retrying: 'Retrying…',
  retried: 'Delivered',
  /** A retry that failed, and is attempted again by itself. */
  retriedAgain: (reason: string) => `${reason} It will be attempted again.`,
  retryFailed: 'Failed to retry',
  answer: (text: string) => `“${text}”`,
  allQueued: (count: number) =>
    count === 1 ? 'The delivery is queued for a retry' : `${deliveries(count)} queued for a retry`,
  someQueued: (queued: number, requested: number) =>
    `${number(queued)} of ${deliveries(requested)} queued for a retry. The others are already delivered, canceled or in progress, or their endpoint is off.`,
  noneQueued: (requested: number) =>
    requested === 1
      ? 'Not queued: the delivery is already delivered, canceled or in progress, or its endpoint is off.'
      : `None of the ${deliveries(requested)} were queued: they are already delivered, canceled or in progress, or their endpoint is off.`,
  notQueued: 'Nothing to retry',
} as const;

function deliveries(count: number): string {
  return `${number(count)} ${count === 1 ? 'delivery' : 'deliveries'}`;
}

export const attemptCopy = {
  title: (what: string) => `Attempts: ${what}`,
  loading: 'Loading attempts',
  loadFailed: 'Failed to load attempts',
  webhookId: 'webhook-id',
  address: (address: string) => `To ${address}`,
  delivered: 'Delivered',
  failed: 'Failed',
  answer: 'Response',
} as const;

export const deliveryFilterCopy = {
  label: 'Filter deliveries',
  state: 'State',
  channel: 'Channel',
  endpoint: 'Endpoint',
  eventType: 'Event type',
  lead: 'Lead ID',
  from: 'Created from',
  to: 'Created to',
  all: 'All',
  clear: 'Clear filters',
} as const;

export const queueCopy = {
  label: 'Queue status',
  loadFailed: 'Failed to load queue status',
  queued: 'Waiting',
  oldest: 'Oldest waiting',
  noneDue: 'None',
  failed: 'Failed in 24 hours',
  held: 'On hold',
  heldReasons: 'On hold, by reason',
  heldOf: (channel: string, count: number) => `${channel}: ${number(count)}`,
  workers: 'Workers',
  number,
  /** The target of a figure's link, after the figure. */
  show: {
    queued: 'waiting: view',
    failed: 'failed: view all',
    held: 'on hold: view',
    allHeld: 'on hold: view all',
  },
  warning: 'Deliveries are not going out',
  noWorkers:
    'No worker is connected to the queue. Start one with WORKER=inline, or run the worker process from the Procfile.',
  limitTitle: 'Lead emails are waiting',
  limit:
    'The hourly limit for emails to leads is reached (LEAD_EMAILS_PER_HOUR). They go out later; provider emails and CRM deliveries aren’t affected. A sudden rise in leads can be abuse: check the latest leads.',
  lateTitle: 'Deliveries are late',
  late: 'A delivery has been due for more than a minute. The workers are busy, stuck or disconnected. Check their logs.',
} as const;
