/** Text of the outbox. It is the same for every brand. */
export const outboxCopy = {
  lead: 'No mail server is configured (SMTP_URL): messages end here, and nobody receives them. The newest thousand are kept.',
  caption: 'Messages in the outbox',
  columns: { at: 'When', to: 'To', subject: 'Subject' },
  loading: 'Loading messages…',
  empty: 'There is no message yet. One for the lead and one for its provider appear here with the next lead.',
  failed: 'Failed to load the outbox',
  codeFailed: 'This part of the dashboard could not be loaded.',
  paging: 'Pages of the outbox',
  messageTo: (to: string) => `Message to ${to}`,
  messageFailed: 'Failed to load the message',
  messageLoading: 'Loading the message…',
  views: { label: 'How to show it', html: 'As a mail program shows it', text: 'As text' },
} as const;
