import type { StaffTaskKind } from './adminLeads.ts';
import type { TaskDecision } from './staffTasks.ts';

/** Decisions about a task. */
export const taskDecisionNames: Readonly<Record<TaskDecision, string>> = {
  'stop-phone': 'Stop contact by phone',
  'stop-email': 'Stop contact by email',
  'keep-serving': 'Keep contacting',
  done: 'Done',
};

export interface TaskCopy {
  title: string;
  reason: string;
  text: string;
  /** Whether staff call the clinic. */
  callsClinic?: true;
  /** For a task that may end contact. */
  stopTitle?: string;
  stopText?: string;
}

export const callText = (phone: string) => `Call the clinic: ${phone}`;

export const taskCopy = {
  'phone-withdrawn': {
    title: 'Phone to review',
    reason: 'Someone with the same phone number withdrew their consent.',
    text: 'The email address is different, so this may be another person. Your decision counts for every lead with this number. Until then, this lead is handled as usual.',
    stopTitle: 'Stop contact by phone?',
    stopText:
      'No one will contact this phone number again. Anything still queued for a lead with it is canceled, and each provider that has their details is asked to stop. Only an owner can lift this.',
  },
  'reply-received': {
    title: 'Reply to read',
    reason: 'An email about this lead arrived that couldn’t be processed automatically.',
    text: 'Read it in your mailbox. If they want you to stop, stop contact by email: with the address that the lead had when the reply arrived. Until you decide, this lead is handled as usual.',
    stopTitle: 'Stop contact by email?',
    stopText:
      'No one will contact this email address again. Anything still queued for a lead with it is canceled, and each provider that has their details is asked to stop. Only an owner can lift this.',
  },
  'not-reached': {
    title: 'Clinic not reached',
    reason: 'The provider’s email about this lead has not arrived.',
    text: 'Call the clinic or assign another.',
    callsClinic: true,
  },
  'message-refused': {
    title: 'Message refused',
    reason: 'The provider’s mail server refused the message about this lead.',
    text: 'Call the clinic with the details, or send the message again.',
    callsClinic: true,
  },
  'number-suppressed': {
    title: 'Number left out',
    reason: 'The person typed a further phone number that asked not to be contacted.',
    text: 'The provider and the CRM didn’t get that number. Don’t pass it on.',
  },
  'crm-held': {
    title: 'Not in the CRM',
    reason: 'The CRM refused this lead at every attempt.',
    text: 'It is tried again every hour. Correct what the CRM refuses, or enter the lead there by hand.',
  },
  'mailbox-withdrawn': {
    title: 'Address to review',
    reason:
      'Someone with the same mailbox, under another spelling of this email address, withdrew their consent.',
    text: 'This may be the same person. Until you decide, nothing about this lead is sent to the person, a provider or the CRM. If it is another person, or they want to be contacted again, keep contacting them.',
    stopTitle: 'Stop contact by email?',
    stopText:
      'No one will contact this email address again. Anything that waits for a lead with it is canceled, and each provider that has their details is asked to stop. Only an owner can lift this.',
  },
} as const satisfies Record<StaffTaskKind, TaskCopy>;
