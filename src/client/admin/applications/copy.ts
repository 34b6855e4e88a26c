import { counted } from '#shared/formats/writing.ts';

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
  website: 'Website',
} as const;
