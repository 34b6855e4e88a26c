import { z } from 'zod';

/** Faults that staff must know of and that aren't about one lead. */
export const alertKinds = [
  'channel-refused',
  'crm-key-refused',
  'deliveries-held',
  'provider-unreachable',
  'provider-skipped',
  'provider-status-unknown',
  'provider-unconfirmed',
  'provider-emails-changed',
  'applications-unanswered',
  'quarantine-share',
  'lead-flood',
  'restored-link',
  'restored-withdrawal',
  'sign-in-failures',
  'problem-reported',
] as const;
export type AlertKind = (typeof alertKinds)[number];

/** What the dashboard calls them. */
export const alertTitles: Readonly<Record<AlertKind, string>> = {
  'channel-refused': 'Channel refused',
  'crm-key-refused': 'CRM key refused',
  'deliveries-held': 'Deliveries held',
  'provider-unreachable': 'Clinic’s mailbox refuses mail',
  'provider-skipped': 'Provider not updated',
  'provider-status-unknown': 'Unknown status of a provider',
  'provider-unconfirmed': 'Provider to confirm',
  'provider-emails-changed': 'Many clinics’ addresses changed',
  'applications-unanswered': 'Applications to answer',
  'quarantine-share': 'Many quarantined leads',
  'lead-flood': 'Many leads at once',
  'restored-link': 'Lead lost in a restore',
  'restored-withdrawal': 'Withdrawal of a lost lead',
  'sign-in-failures': 'Many failed sign-ins',
  'problem-reported': 'Problem reported',
};

const openAlert = z
  .object({
    kind: z.enum(alertKinds),
    subject: z
      .string()
      .meta({ description: 'A channel, a provider’s or a lost lead’s ID, `phone`, or empty' }),
    message: z.string(),
    since: z.iso.datetime(),
  })
  .meta({ id: 'Alert', description: 'A fault that staff must know of and that isn’t about one lead' });
export type OpenAlert = z.output<typeof openAlert>;

/** At most these are listed; more are counted. */
export const alertsListedMax = 50;

export const alertListOutput = z.object({
  /** The oldest first. */
  alerts: z.array(openAlert),
  total: z.number().int().nonnegative(),
  /** What waits in other tabs, each counted up to `waitingMax`; one more means "and more". */
  waiting: z.object({
    /** New applications. */
    applications: z.number().int().nonnegative(),
    /** Failed deliveries that the reader may see. */
    deliveries: z.number().int().nonnegative(),
  }),
});
export type WaitingCounts = z.output<typeof alertListOutput>['waiting'];

export const waitingMax = 999;

/** A count beside a tab; undefined if nothing waits. */
export function waitingText(count: number | undefined): string | undefined {
  if (count === undefined || count === 0) return undefined;
  return count > waitingMax ? `${waitingMax}+` : String(count);
}

export const alertDismissInput = openAlert.pick({ kind: true, subject: true });

/** The alerts in the Leads tab. */
export const alertsCopy = {
  label: 'Alerts',
  more: (count: number) => `and ${count} more`,
  dismiss: 'Dismiss',
  dismissOf: (title: string) => `Dismiss: ${title}`,
  dismissed: 'Alert dismissed',
  dismissFailed: 'The alert couldn’t be dismissed.',
  /** Of a provider of the sync that may be one that exists only here. */
  confirm: {
    same: 'Same provider',
    another: 'Another provider',
    sameDone: 'The sync updates the provider from now on.',
    anotherDone: 'The next sync activates it.',
    failed: 'The provider couldn’t be confirmed.',
  },
} as const;

/** How many providers the alert about changed addresses names. */
export const namedMax = 10;

/** When more email addresses changed in an hour than former ones get a message about. */
export function addressChangesMessage(total: number, names: readonly string[]): string {
  const more = total > names.length ? `, and ${(total - names.length).toLocaleString('en-US')} more` : '';
  return `The addresses that get the leads of ${total.toLocaleString('en-US')} providers changed within an hour, too many to tell each former address: ${names.join(', ')}${more}. The audit log has each change. If it’s wrong, revoke the token or correct the source, and sync again.`;
}

/** Of applications that nobody has answered. `oldest`: the number of the one that is due first, and when. */
export function unansweredMessage(count: number, hours: number, oldest: { id: number; due: string }): string {
  const waiting =
    count === 1
      ? `Application #${oldest.id} has been unanswered for more than ${hours} hours. It is`
      : `${count.toLocaleString('en-US')} applications have been unanswered for more than ${hours} hours. The oldest, #${oldest.id}, is`;
  return `${waiting} due by ${oldest.due}, as the provider page promises. Contact the practice and change the status in the list “Applications”.`;
}

/** Of a problem that a visitor reported, with the text of the claim it is about. */
export function problemMessage(claim: string | null): string {
  const about = claim === null ? '' : ` with the claim “${claim}”`;
  return `A visitor reported a problem${about}. Read the report in the tab “Claims”, act on it, and complete it there.`;
}

/** Of leads above the limits of a provider or a phone number. */
export const floodMessage = {
  provider: (name: string, allowed: number) =>
    `${name} got more than ${allowed} leads within an hour. Those above that wait and are delivered within four hours. If they aren’t real, delete them under “Over limit” before.`,
  phone:
    'A phone number was sent more often than a person would: three times a day from one network, or ten times in all. Further leads with it wait and are delivered within four hours. If they aren’t real, delete them under “Over limit” before.',
} as const;

/** The daily email to owners. */
export const alertsMailCopy = {
  subject: (count: number) => (count === 1 ? 'An alert needs attention' : `${count} alerts need attention`),
  intro: (brandName: string) =>
    `These faults of ${brandName} are open. The dashboard says what to do, under “Needs attention”.`,
  more: (count: number) => `And ${count} more.`,
} as const;
