import { counted } from '../formats/writing.ts';

/** Every word of the staff's dashboard. They are the same whatever the brand. */
export const adminCopy = {
  sync: { start: 'Sync Providers', busy: 'Syncing...' },
  tabs: {
    label: 'Dashboard sections',
    leads: 'Leads',
    providers: 'Providers',
    applications: 'Applications',
    insights: 'Insights',
    deliveries: 'Deliveries',
    outbox: 'Outbox',
    withCount: (tab: string, count: string) => `${tab} (${count})`,
    about: (count: string) => `about ${count}`,
  },
  exportLeads: 'Export Leads CSV',
  exportProviders: 'Export Providers CSV',
  error: 'Error',
  success: 'Success',
  retry: 'Try again',
  undo: 'Undo',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  saving: 'Saving…',
  none: '—',
  busy: 'Working…',
  notCopied: 'Copying isn’t possible here. Mark the text and copy it by hand.',
} as const;

/** What toasts say: product words, literal. */
export const adminMessages = {
  leadsFailed: 'Failed to load leads',
  providersFailed: 'Failed to load providers',
  applicationsFailed: 'Failed to load applications',
  leadFailed: 'Failed to load the lead',
  retrySync: { done: 'Successfully retried CRM sync', failed: 'Failed to retry CRM sync' },
  retryEmail: { done: 'Successfully retried email', failed: 'Failed to retry email' },
  sync: { done: 'Successfully synced providers', failed: 'Failed to sync providers' },
  assign: { done: 'Lead provider updated successfully', failed: 'Failed to update lead provider' },
  remove: {
    done: 'Lead deleted successfully',
    failed: (statusText: string) => `Failed to delete lead${statusText === '' ? '' : `: ${statusText}`}`,
  },
  restore: { done: 'Lead restored', failed: 'Failed to restore lead' },
  outcome: { done: 'Outcome noted', failed: 'Failed to note the outcome' },
  suppress: {
    done: 'This person is not contacted any more',
    failed: 'Failed to mark the person as not to be contacted',
  },
  lift: { done: 'Lifted. Retry deliveries where needed.' },
  task: {
    stopped: 'Contact stopped',
    kept: 'The lead is served as before',
    failed: 'Failed to save the decision',
  },
  release: { done: 'Lead released from quarantine', failed: 'Failed to release lead' },
  exportFile: {
    failed: 'Failed to export',
    busy: 'Other exports are under way. Try again in a minute.',
  },
  saveProvider: { done: 'Provider saved', failed: 'Failed to save provider' },
  saveApplication: { done: 'Application updated', failed: 'Failed to update application' },
  bulkAssign: {
    done: (count: number) => `${counted(count, 'lead')} assigned`,
    failed: 'Failed to assign leads',
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

export const shortcutCopy = {
  open: 'Keyboard shortcuts',
  title: 'Keyboard shortcuts',
  search: 'Go to the search of leads',
  previous: 'Previous page of leads',
  next: 'Next page of leads',
  help: 'This list',
  escape: 'Close what is open',
  toggle: 'Single-key shortcuts are on',
  note: 'Kept in this browser.',
  key: 'Key',
  effect: 'What it does',
} as const;
