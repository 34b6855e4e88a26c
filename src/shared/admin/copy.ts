import { counted } from '../formats/writing.ts';

/** Text of the staff's dashboard. It is the same for every brand. */
export const adminCopy = {
  sync: {
    start: 'Sync Providers',
    busy: 'Syncing...',
    /** Why the button does nothing yet. */
    notConfigured: 'WordPress isn’t connected. Set WORDPRESS_URL.',
  },
  tabs: {
    label: 'Dashboard sections',
    leads: 'Leads',
    providers: 'Providers',
    applications: 'Applications',
    insights: 'Insights',
    deliveries: 'Deliveries',
    unsentMail: 'Unsent mail',
    noMail: 'Emails aren’t sent',
    noMailHint: 'No mail server is configured. Clinics and visitors get no email.',
    more: 'More',
    groups: { work: 'Work', system: 'System' },
    count: (count: string | null) => (count === null ? undefined : `(${count})`),
    failed: (count: string | undefined) => (count === undefined ? undefined : `${count} failed`),
  },
  /** Of the button that opens those of the head on a phone. */
  actions: 'Actions',
  exportLeads: 'Export Leads CSV',
  exportHint: (leads: string) => `${leads}, current filters`,
  exportProviders: 'Export Providers CSV',
  spreadsheetHint: 'In a spreadsheet, import the ZIP and phone columns as text.',
  error: 'Error',
  success: 'Success',
  retry: 'Try again',
  offline: 'You’re offline. Changes aren’t saved.',
  undo: 'Undo',
  nothingToUndo: {
    title: 'Nothing to undo',
    description: 'Undo works while the message that offers it is shown.',
  },
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  saving: 'Saving…',
  none: '—',
  busy: 'Working…',
  notCopied: 'Couldn’t copy. Select the text and copy it manually.',
} as const;

/** Texts of toasts. Those of the specification are exact. */
export const adminMessages = {
  codeFailed: 'This part couldn’t be loaded.',
  leadsFailed: 'Failed to load leads',
  providersFailed: 'Failed to load providers',
  applicationsFailed: 'Failed to load applications',
  leadFailed: 'Failed to load the lead',
  retrySync: { done: 'Successfully retried CRM sync', failed: 'Failed to retry CRM sync' },
  retryEmail: { done: 'Successfully retried email', failed: 'Failed to retry email' },
  resendToProvider: {
    done: 'Sent to the provider again',
    failed: 'Failed to resend to the provider',
    queued: (count: number, requested: number) =>
      count === requested
        ? `${counted(count, 'email')} to providers queued`
        : `${count.toLocaleString('en-US')} of ${counted(requested, 'email')} to providers queued. The other leads have no provider, must not be contacted, are quarantined, are being sent, or were resent three times in 24 hours.`,
    none: 'Nothing was queued. These leads have no provider, are quarantined, are being sent, or were resent three times in 24 hours.',
  },
  sync: { done: 'Successfully synced providers', failed: 'Failed to sync providers' },
  assign: { done: 'Lead provider updated successfully', failed: 'Failed to update lead provider' },
  remove: {
    done: 'Lead deleted successfully',
    failed: (statusText: string) => `Failed to delete lead${statusText === '' ? '' : `: ${statusText}`}`,
  },
  restore: { done: 'Lead restored', failed: 'Failed to restore lead' },
  outcome: {
    done: 'Outcome saved',
    failed: 'Failed to save the outcome',
    undone: 'Outcome taken back',
    undoFailed: 'Failed to undo the outcome',
  },
  suppress: {
    done: 'This person won’t be contacted again',
    failed: 'Failed to stop contact with this person',
  },
  lift: { done: 'Lifted. Retry deliveries where needed.' },
  task: {
    stopped: 'They won’t be contacted this way again',
    kept: 'The lead is handled as before',
    failed: 'Failed to save the decision',
  },
  release: { done: 'Lead released from quarantine', failed: 'Failed to release lead' },
  exportFile: {
    failed: 'Failed to export',
    busy: 'Other exports are in progress. Try again in a minute.',
  },
  sendAgain: {
    done: (count: number) =>
      count === 0 ? 'Emails are sent again' : `${counted(count, 'email')} on the way`,
    failed: 'Failed to send again',
  },
  saveProvider: { done: 'Provider saved', failed: 'Failed to save provider' },
  releaseApplication: { done: 'Application released', failed: 'Failed to release application' },
  approveApplication: { done: 'Application approved', failed: 'Failed to approve application' },
  declineApplication: { done: 'Application declined', failed: 'Failed to decline application' },
  undoAnswer: { done: 'Answer taken back', failed: 'Failed to take the answer back' },
  sendLink: { done: 'The link is on its way', failed: 'Failed to send the link' },
  activateProvider: { done: 'Provider activated', failed: 'Failed to activate provider' },
  deactivateProvider: { done: 'Provider deactivated', failed: 'Failed to deactivate provider' },
  saveApplication: { done: 'Application updated', failed: 'Failed to update application' },
  bulkAssign: {
    done: (count: number) => `${counted(count, 'lead')} assigned`,
    failed: 'Failed to assign leads',
  },
  undoAssign: {
    done: (count: number) => (count === 1 ? 'Assignment undone' : `${counted(count, 'assignment')} undone`),
    /** Some were undone, and others not for these reasons. */
    partly: (done: number, refused: readonly { count: number; reason: string }[]) =>
      [
        `${counted(done, 'assignment')} undone.`,
        ...refused.map(({ count, reason }) => `${counted(count, 'lead')}: ${reason}`),
      ].join(' '),
    failed: 'Failed to undo the assignment',
  },
  bulkRemove: {
    done: (count: number) => `${counted(count, 'lead')} deleted`,
    failed: 'Failed to delete leads',
  },
  bulkRelease: {
    done: (count: number) => `${counted(count, 'lead')} released from quarantine`,
    failed: 'Failed to release leads',
  },
  bulkRestore: {
    done: (count: number) => `${counted(count, 'lead')} restored`,
    failed: 'Failed to restore leads',
  },
  bulkRetrySync: { done: 'Successfully retried sync', failed: 'Failed to retry sync' },
} as const;

/** The keys of the dashboard, in the groups of its help. */
export const shortcutGroups = [
  {
    label: 'On every tab',
    keys: [
      ['Ctrl+K', 'Search and commands (⌘K on a Mac)'],
      ['Ctrl+Z', 'Undo, while the message that offers it is shown'],
      ['F6', 'Go to the message and back'],
      ['?', 'Help'],
      ['Esc', 'Close panel'],
    ],
  },
  {
    label: 'Leads',
    keys: [
      ['/', 'Search leads; then Enter goes to the first, or searches all leads if the view has none'],
      ['J', 'Next lead'],
      ['K', 'Previous lead'],
      ['Enter', 'Open the lead'],
      ['E', 'Email the person'],
      ['A', 'Assign a provider, to all selected leads if some are selected'],
      ['X', 'Select the lead'],
      ['Shift+X', 'Select all leads on this page'],
      ['[', 'Previous page of leads'],
      [']', 'Next page of leads'],
    ],
  },
  {
    label: 'In an open lead',
    keys: [
      ['J', 'Next lead of the list'],
      ['K', 'Previous lead of the list'],
      ['E', 'Email the person'],
      ['A', 'Assign a provider, or take the lead away'],
      ['R', 'Go to “Resend to provider”; Enter sends'],
      ['N', 'Write a note; Ctrl+Enter adds it'],
    ],
  },
] as const;

export const helpCopy = {
  open: 'Help',
  title: 'Help',
  shortcuts: 'Keyboard shortcuts',
  toggle: 'Use single-key shortcuts (saved in this browser)',
  final: 'What can’t be undone',
  finalActs: [
    'Emails, CRM records and webhooks that have left. Those of an assignment wait ten seconds, and Undo stops them.',
    'Resend Email, Resend to provider, Retry CRM Sync, Remind the clinic and each retry of a delivery.',
    'Recording “Wrong area”: another provider may get the lead, and its email leaves.',
    'Correcting a ZIP code, phone number or email address: the clinic gets the correction. Correct it again instead.',
    'Releasing a lead or an application from quarantine: its messages leave at once.',
    'Erasing a person.',
    'Deleting a lead, after 30 days. Until then you can restore it.',
    'Stopping contact with a person: only an owner can lift it, with a reason.',
    'Deciding a task, dismissing an alert, and confirming whether two providers are one.',
    'Sync Providers and Upload CSV: the new values replace those of before. Adding a provider: it stays inactive.',
    'Replacing or removing a CRM key: nobody can read the key of before.',
    'Revoking a token, removing an account or an endpoint, and creating a new secret.',
    'Resetting two-factor sign-in and unlinking single sign-on: the person sets it up or signs in again.',
  ],
} as const;

export const paletteCopy = {
  open: 'Search and commands',
  hint: 'Search and commands (Ctrl+K)',
  label: 'Search leads, providers, applications and actions',
  groups: {
    tabs: 'Tabs',
    views: 'Views of the leads',
    actions: 'Actions',
    leads: 'Leads',
    providers: 'Providers',
    applications: 'Applications',
  },
  allLeads: 'All leads',
  searching: 'Searching…',
  none: 'Nothing matches.',
  failed: 'Failed to search',
} as const;
