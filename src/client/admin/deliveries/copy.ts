import { deliveriesCountMax } from '#shared/admin/adminDeliveries.ts';
import type { DeliveryState } from '#shared/admin/deliveries.ts';

const number = (value: number): string => value.toLocaleString('en-US');

/** Texts of the deliveries tab. They are the same for every brand. */
export const deliveryListCopy = {
  caption: 'Deliveries',
  loading: 'Loading deliveries',
  loadFailed: 'Failed to load deliveries',
  codeFailed: 'This tab could not be loaded.',
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
    held: 'Held',
    cancelled: 'Cancelled',
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
  onArrival: 'On arrival',
  onEvent: 'On event',
  openLead: (name: string) => `History of ${name}`,
  total: (total: number, isLeast: boolean) =>
    isLeast ? `Total: ${number(deliveriesCountMax)} deliveries or more` : `Total: ${deliveries(total)}`,
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
    text: 'What is sent about a lead appears here as soon as the lead arrives.',
    filteredTitle: 'No matching deliveries',
    filteredText: 'Remove a filter.',
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
    count === 1 ? 'The delivery is queued for a retry' : `${deliveries(count)} queued for a retry`,
  someQueued: (queued: number, requested: number) =>
    `${number(queued)} of ${deliveries(requested)} queued for a retry. The others are already delivered, cancelled or in progress, or their endpoint is off.`,
  noneQueued: (requested: number) =>
    requested === 1
      ? 'The delivery was not queued: it is already delivered, cancelled or in progress, or its endpoint is off.'
      : `None of the ${deliveries(requested)} was queued: they are already delivered, cancelled or in progress, or their endpoint is off.`,
  notQueued: 'Nothing to retry',
} as const;

function deliveries(count: number): string {
  return `${number(count)} ${count === 1 ? 'delivery' : 'deliveries'}`;
}

/** Texts of the dialog with a delivery's attempts. */
export const attemptCopy = {
  title: (what: string) => `Attempts: ${what}`,
  loading: 'Loading attempts',
  loadFailed: 'Failed to load the attempts',
  webhookId: 'webhook-id',
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
  lead: 'Lead number',
  from: 'Created from (UTC)',
  to: 'Created to (UTC)',
  all: 'All',
  clear: 'Clear filters',
} as const;

/** Texts of the figures above the list. */
export const queueCopy = {
  label: 'Queue',
  loadFailed: 'Failed to load the queue figures',
  queued: 'Waiting',
  oldest: 'Oldest due waits for',
  noneDue: 'None is due',
  failed: 'Failed in 24 hours',
  held: 'Held',
  noneHeld: 'None',
  heldOf: (channel: string, count: number) => `${channel}: ${number(count)}`,
  workers: 'Workers',
  number,
  /** The target of a figure's link, after the figure. */
  show: { queued: 'waiting: show them', failed: 'failed: show all that failed', held: 'held: show them' },
  warning: 'Deliveries are not going out',
  noWorkers:
    'No worker is connected to the queue. Deliveries go out once one is started: with WORKER=inline, or as the process named worker in the Procfile.',
  limitTitle: 'Lead emails are waiting',
  limit:
    'The hourly limit for emails to leads is reached. They go out later; messages to providers and the CRM are not affected. An unusual number of leads may be abuse: check the latest leads. LEAD_EMAILS_PER_HOUR sets the limit.',
  lateTitle: 'Deliveries are late',
  late: 'A delivery that is due has waited for more than a minute. The workers are busy, stuck or cut off: look at their log.',
} as const;
