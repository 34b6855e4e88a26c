import { attemptStatusText } from '#shared/admin/unsentMail.ts';
import type { AttemptResult } from '#shared/admin/webhooks.ts';

/** Text of the kit's forms, lists and secrets. */
export const formCopy = {
  failed: 'That didn’t work. Please try again.',
} as const;

/** Text of the lists of open sessions. */
export const sessionCopy = {
  caption: 'Open sessions',
  columns: { device: 'Device', who: 'Person and device', lastUsed: 'Last used', actions: 'Actions' },
  unknownDevice: 'Unknown device',
  current: 'This device',
  end: 'Sign out',
  endOf: (device: string) => `Sign out ${device}`,
  ended: 'Signed out',
  loadFailed: 'Failed to load the sessions',
} as const;

export const listCopy = {
  loading: 'Loading…',
  previous: 'Previous',
  newer: 'Newer',
  older: 'Older',
  next: 'Next',
  page: (page: number, pages: number) =>
    `Page ${page.toLocaleString('en-US')} of ${pages.toLocaleString('en-US')}`,
  sortBy: (column: string) => `Sort by ${column}`,
} as const;

export const longTextCopy = {
  all: 'Show all',
  less: 'Show less',
  labelOf: (isOpen: boolean, of: string) => `${isOpen ? 'Show less' : 'Show all'} of ${of}`,
} as const;

export const secretCopy = {
  copy: 'Copy',
  copied: 'Copied',
  done: 'Done',
  onlyTime: 'Copy it now. You won’t see it again.',
} as const;

/** 'HTTP 200 after 120 ms' */
export function attemptText({ status, duration_ms }: Pick<AttemptResult, 'status' | 'duration_ms'>): string {
  const duration = `${duration_ms.toLocaleString('en-US')} ms`;
  return status === null ? duration : `${attemptStatusText(status)} after ${duration}`;
}

/** Of a provider that exists only here. */
export const activationCopy = {
  activate: 'Activate',
  activateLabel: (name: string) => `Activate ${name}`,
  deactivate: 'Deactivate',
  deactivateLabel: (name: string) => `Deactivate ${name}`,
  active: 'It gets leads and is on the map.',
  inactive: 'It is inactive: it gets no leads, and visitors don’t see it.',
  askUnconfirmed: (email: string) =>
    `Nobody has confirmed ${email}. Leads with contact details would go there. Activate it only if you checked the address another way.`,
} as const;
