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
    text: 'No application yet. They come from the page for prospective providers.',
    filteredText: 'No application has this status.',
    pastText: 'The list is shorter than this page’s place in it. The pages before have more.',
  },
  loading: 'Loading applications',
  total: (total: number) => `Total: ${counted(total, 'application')}`,
  pager: 'Pages of applications',
  statuses: { new: 'New', contacted: 'Contacted', accepted: 'Accepted', declined: 'Declined' },
  quarantined: 'Quarantined',
  overLimit: 'Over limit',
  website: 'Website',
} as const;
