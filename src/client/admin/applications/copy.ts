import { dayMs, hourMs, minuteMs } from '#shared/formats/time.ts';
import { counted } from '#shared/formats/writing.ts';

/** '12 min', '5 h', '3 days'; `round` says how. */
function span(ms: number, round: (value: number) => number): string {
  if (round(ms / minuteMs) < 60) return `${round(ms / minuteMs)} min`;
  if (round(ms / hourMs) < 72) return `${round(ms / hourMs)} h`;
  return counted(round(ms / dayMs), 'day');
}

/** Of its filters in the URL, where the leads' filters have the plain names. */
export const applicationPrefix = 'application';

export const applicationCopy = {
  caption: 'Applications',
  columns: {
    practice: 'Practice',
    contact: 'Contact',
    zip: 'Zip Code',
    date: 'Date',
    message: 'Message',
    status: 'Status',
  },
  filter: 'Status',
  all: 'All',
  messageOf: (practice: string) => `the message from ${practice}`,
  statusOf: (practice: string) => `Status of ${practice}`,
  empty: {
    text: 'No applications yet. They arrive from the provider page.',
    filteredText: 'No applications have this status.',
    pastTitle: 'This page is empty now',
    pastText: 'Go back to the previous page.',
  },
  providerPage: 'Open the provider page',
  loading: 'Loading applications',
  total: (total: number) => `Total: ${counted(total, 'application')}`,
  pager: 'Pages of applications',
  statuses: { new: 'New', contacted: 'Contacted', accepted: 'Accepted', declined: 'Declined' },
  quarantined: 'Quarantined',
  overLimit: 'Over limit',
  release: 'Release',
  releaseOf: (practice: string) => `Release ${practice} from quarantine`,
  website: 'Website',
  /** By which the notice to staff and the receipt name it. */
  number: (id: number) => `#${id}`,
  due: {
    waiting: (ms: number) => `Waiting ${ms < minuteMs ? 'less than 1 min' : span(ms, Math.floor)}`,
    dueIn: (ms: number) => `Due in ${span(ms, Math.ceil)}`,
    overdue: (when: string) => `Overdue since ${when}`,
  },
  receipt: {
    sent: 'Receipt sent',
    waiting: 'Receipt pending',
    withheld: 'No receipt',
    refused: 'Receipt refused',
  },
} as const;
