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
  open: (practice: string) => `Open ${practice}`,
  drawer: {
    loading: 'Loading the application',
    failed: 'Failed to load the application',
    answersTitle: 'Answers',
    number: 'Application',
    contact: 'Contact',
    received: 'Received',
    approve: 'Approve',
    approveLabel: (practice: string) => `Approve ${practice}`,
    decline: 'Decline',
    declineLabel: (practice: string) => `Decline ${practice}`,
    area: {
      title: 'Area',
      nearest: 'Next clinic',
      none: 'There is no active clinic.',
      demand: 'Demand',
      /** 0: fewer than 10. Null: they are being counted. */
      people: (people: number | null) =>
        people === null
          ? 'Being counted. Open it again in a minute.'
          : `${people === 0 ? 'Fewer than 10 people' : `${people.toLocaleString('en-US')} people`} within 50 miles asked in 90 days.`,
      unknownZip: 'Its ZIP code is in no table, so distance and demand are unknown.',
    },
    answers: {
      confirm: {
        waiting: 'The link that confirms its address is being sent',
        sent: 'The link that confirms its address was sent',
        withheld: 'The link that confirms its address was not sent',
        refused: 'The link that confirms its address was refused',
      },
      decline: {
        waiting: 'The answer is being sent',
        sent: 'The answer was sent',
        withheld: 'The answer was not sent',
        refused: 'The answer was refused',
      },
    },
  },
  /** Of the provider of an approved application. */
  steps: {
    title: 'What it needs',
    optional: 'You can activate it now and complete these later.',
    done: ' (done)',
    open: ' (to do)',
    edit: 'Edit',
    editLabel: (step: string) => `Edit: ${step}`,
    email: 'Email address confirmed',
    unconfirmed: 'hasn’t been confirmed yet.',
    confirmed: 'was confirmed',
    sendAgain: 'Send link again',
    address: 'Address located',
    located: (zipCode: string) => ({
      coordinates: 'By its coordinates.',
      zip: `At the middle of ZIP code ${zipCode}. Coordinates put it on the map.`,
      prefix: `ZIP code ${zipCode} is in no table. It counts as the middle of ZIP codes ${zipCode.slice(0, 3)}.`,
      nowhere: `ZIP code ${zipCode} is in no table. Correct it: leads can’t be matched.`,
    }),
    npi: 'NPI',
    npiMissing: 'Missing.',
    texts: 'Texts of its site',
    about: 'About',
    hours: 'Hours',
    complete: 'About and hours are there.',
    missing: (texts: readonly string[]) => `Missing: ${texts.join(', ')}.`,
  },
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
