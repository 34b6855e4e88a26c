/** Text of the tab of unsent mail. It is the same for every brand. */
export const unsentMailCopy = {
  lead: 'No mail server is configured (SMTP_URL). Messages stay here and aren’t sent. The latest 1,000 are kept.',
  caption: 'Unsent messages',
  columns: { at: 'When', to: 'To', subject: 'Subject' },
  loading: 'Loading messages…',
  empty: 'No messages yet. The next lead adds one to the lead and one to the provider.',
  failed: 'Failed to load unsent mail',
  paging: 'Pages of unsent mail',
  messageTo: (to: string) => `Message to ${to}`,
  messageFailed: 'Failed to load the message',
  messageLoading: 'Loading the message…',
  views: { label: 'View', html: 'Preview', text: 'Plain text' },
} as const;
