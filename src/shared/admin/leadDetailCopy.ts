import { filledHoneypot, quarantined } from './leadCopy.ts';
import { taskCopy } from './taskCopy.ts';
import type { MatchMethod, QuarantineReason } from '../leads/quarantine.ts';
import type { identityKinds, WithdrawalWay } from '../leads/suppression.ts';

export const leadDetailCopy = {
  title: 'Lead',
  number: (id: number) => `Lead #${id}`,
  loading: 'Loading the lead…',
  contact: 'Contact',
  sent: 'Form sent',
  match: 'Match',
  provider: 'Provider',
  providerPhone: 'Provider’s phone',
  providerEmail: 'Provider’s email',
  reason: 'Reason',
  method: 'Matched by',
  distance: 'Distance',
  candidates: 'Nearest providers',
  allCandidates: (count: number) => `Show all ${count.toLocaleString('en-US')}`,
  consent: 'Consent',
  noConsent: 'No consent record was found.',
  evidence: 'Show the evidence',
  consentText: 'Consent text',
  version: 'Version',
  purpose: 'Purpose',
  namedProvider: 'Provider named',
  form: 'Form',
  prechecked: 'Box checked beforehand',
  isPrechecked: (prechecked: boolean) => (prechecked ? 'Yes' : 'No'),
  agreed: 'Agreed',
  clientClock: 'Agreed, by the person’s clock',
  address: 'IP address',
  userAgent: 'Browser',
  page: 'Page',
  host: 'Host',
  seal: 'Evidence',
  sealed: 'Sealed',
  unsealed: 'Sealing…',
  attribution: 'Attribution',
  touches: { first: 'First visit', last: 'Last visit' },
  repeats: 'Other leads from this person',
  thisLead: 'This lead',
  history: 'History',
  nobodyFound: 'No provider was found.',
  consentNames: (provider: string) => `the consent names ${provider}`,
  outcome: 'Outcome',
  noOutcome: 'No outcome yet',
  pendingReturn: ': takes effect in five minutes, unless the clinic changes it',
  latestOutcome: 'Latest',
  recordOutcome: 'Outcome reported by the provider',
  noFollowUp: 'No date',
  noHistory: 'No history yet.',
  deliveries: 'All deliveries of this lead',
  by: (who: string) => `by ${who}`,
  quarantine: quarantined,
  honeypot: filledHoneypot,
  filledHoneypot: 'Perhaps by a password manager, perhaps by a bot. Look at the request before you call.',
  suppressed: 'Do not contact',
  suppressedNotice: 'Nothing is sent about this lead, and nobody may contact this person.',
  deleted: 'Deleted',
  deletedNotice: (when: string) =>
    `This lead was deleted on ${when}. You can restore it for 30 days; after that it’s deleted permanently.`,
} as const;

/** How a lead was matched; null if it was not. */
export const matchMethodNames: Readonly<Record<MatchMethod, string | null>> = {
  tenant: 'the provider’s own site',
  requested: 'the visitor’s choice',
  nearest: 'distance',
  manual: 'staff',
  none: null,
};

/** The quarantine reason for staff. */
export const quarantineReasonNames: Readonly<Record<QuarantineReason, string>> = {
  honeypot: 'Filled in a hidden field (likely a bot)',
  'token-missing': 'Sent without a form token',
  'token-early': 'Sent faster than a person types',
  'token-expired': 'Sent from a form that was open for more than 24 hours',
  'token-forged': 'Sent with an invalid form token',
  'foreign-origin': 'Sent from another website',
  burst: 'Too many leads at once for one clinic or phone number, sent without a form',
  'over-limit':
    'Too many leads for one clinic or phone number, or too many leads from one network. It is delivered within four hours.',
  test: 'A test by staff: never delivered, and not counted',
};

/** The same for a reason that the history has as text; an unknown one unchanged. */
export function quarantineReasonName(reason: string): string {
  return new Map(Object.entries(quarantineReasonNames)).get(reason) ?? reason;
}

/** Names of history entries; an unknown kind unchanged. */
export const leadEventNames: Readonly<Record<string, string>> = {
  created: 'Received',
  'honeypot-filled': 'A field that people don’t see was filled in',
  consented: 'Agreed to be contacted',
  matched: 'Matching',
  assigned: 'Assigned',
  unassigned: 'Assignment undone',
  'taken-away': 'Taken away from its provider',
  corrected: 'Corrected',
  deleted: 'Deleted',
  restored: 'Restored',
  released: 'Released from quarantine',
  quarantined: 'Quarantined',
  viewed: 'Viewed',
  retried: 'Retried',
  rematched: 'Matched again',
  outcome: 'Outcome reported',
  noted: 'Note added',
  'note-undone': 'Note taken back',
  'follow-up': 'Follow-up',
  reminded: 'Provider reminded',
  called: 'Says that they called the provider',
  exported: 'Person’s data exported',
  erased: 'Person erased',
  email: 'Email',
  crm: 'CRM',
  delivered: 'Delivered',
  'delivery-failed': 'Delivery failed',
  'delivery-withheld': 'Delivery withheld',
  withdrawn: 'Consent withdrawn',
  ...Object.fromEntries(Object.entries(taskCopy).map(([kind, { title }]) => [kind, title])),
  'task-done': 'Reviewed',
  lifted: 'Do not contact lifted',
};

/** How a consent was withdrawn. */
export const withdrawalNames: Readonly<Record<WithdrawalWay, string>> = {
  page: 'By a link in a message or after sending the form',
  'one-click': 'By the mail program’s unsubscribe button',
  reply: 'By replying STOP to an email',
  complaint: 'By reporting an email as spam',
  staff: 'Recorded by staff',
  erasure: 'When the person was erased',
};

/** What a suppression covers. */
export const identityNames: Readonly<Record<(typeof identityKinds)[number], string>> = {
  email: 'Email',
  phone: 'Phone',
};
