import { longDate } from '#shared/formats/writing.ts';

/** Texts of the drawer where staff work with one lead. */
export const workCopy = {
  call: 'Call',
  email: 'Email',
  position: (at: string, total: string) => `${at} of ${total}`,
  previous: 'Previous lead',
  next: 'Next lead',
  neighbors: 'Leads of the list',
  neighborFailed: 'Failed to load the next page of leads',
  emailLeaves: 'The email to the clinic is being sent',
  emailNext: (when: string) => `The email to the clinic is sent ${when}`,
  otherNamed: (provider: string) => `The consent names ${provider}`,
  otherNamedText: 'It may not cover contact by the provider that has this lead.',
  assign: 'Assign',
  assignTo: (provider: string) => `Assign to ${provider}`,
  openLeads: (count: number) => `${count.toLocaleString('en-US')} open`,
  openLeadsHint: 'Leads of the last 30 days without an outcome',
} as const;

export const reminderCopy = {
  action: 'Remind the clinic',
  hint: 'One email without contact details asks the clinic how it went: once a day, three times in all, in its hours.',
  done: 'The clinic was reminded',
  failed: 'Failed to remind the clinic',
} as const;

export const noteCopy = {
  title: 'Notes and follow-up',
  label: 'Note',
  add: 'Add note',
  done: 'Note added',
  failed: 'Failed to add the note',
  undone: 'Note taken back',
  none: 'No notes yet.',
} as const;

export const followUpCopy = {
  label: 'Follow up on',
  save: 'Set date',
  clear: 'Remove date',
  tomorrow: 'Tomorrow',
  inAWeek: 'In a week',
  today: 'Follow up today',
  on: (day: string) => `Follow up on ${longDate(day)}`,
  overdue: (day: string) => `Follow-up was due on ${longDate(day)}`,
  done: (day: string | null) => (day === null ? 'Follow-up removed' : `Follow-up on ${longDate(day)}`),
  failed: 'Failed to set the follow-up date',
} as const;
