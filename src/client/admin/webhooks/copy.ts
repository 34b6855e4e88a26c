import type { DisabledReason, EventPayload, EventType, MessageState } from '#shared/admin/webhooks.ts';
import { counted } from '#shared/formats/writing.ts';

/** Words of the dashboard's screens for integrators. They are the same whatever the brand. */
export const endpointCopy = {
  lead: 'Other systems are told at once of what happens here, by signed webhooks. How to receive them stands in docs/webhooks.md.',
  loading: 'Loading integrations…',
  loadFailed: 'Failed to load integrations',
  codeFailed: 'This tab could not be loaded.',
  list: 'Endpoints',
  empty: 'There are no endpoints. Add one, and it is told of what happens from then on.',
  add: 'Add an endpoint',
  url: 'URL',
  urlHint: 'Begins with https://. It is sent POST requests.',
  description: 'Description',
  descriptionHint: 'Optional. What it is, for your colleagues.',
  types: 'What it is told of',
  typesHint: 'None ticked: everything, also what is added later.',
  all: 'everything',
  toldOf: 'Told of',
  payload: 'What is sent',
  made: (by: string, day: string) => `Added by ${by}, ${day}`,
  added: 'The endpoint is added and on',
  secretLead: 'Messages are signed with this secret.',
  onlyTime: 'Copy it now: this is the only time it is shown.',
  edit: 'Change',
  editOf: (host: string) => `Change ${host}`,
  save: 'Save',
  saved: (host: string) => `${host} is changed`,
  test: 'Send test',
  testOf: (host: string) => `Send a test to ${host}`,
  testing: 'Sending…',
  tested: (host: string) => `${host} took the test`,
  testFailed: (host: string) => `The test to ${host} failed`,
  answered: (status: string, ms: string) => `${status} after ${ms}`,
  failed: 'That did not work. Please try again.',
  rotate: 'New secret',
  rotateOf: (host: string) => `New secret for ${host}`,
  rotateNote:
    'For 24 hours messages are signed with both secrets, so that the receiver can be changed meanwhile. After that only the new one counts.',
  rotated: 'The new secret',
  bothUntil: (instant: string) => `Signed with both secrets until ${instant}`,
  switchOff: 'Switch off',
  switchOffOf: (host: string) => `Switch ${host} off`,
  switchOffNote:
    'Messages that are queued are cancelled. What happens while it is off is kept for 30 days, to be replayed once it is on again.',
  switchedOff: (host: string) => `${host} is off`,
  switchOn: 'Switch on',
  switchOnOf: (host: string) => `Switch ${host} on`,
  switchedOn: (host: string) => `${host} is on`,
  remove: 'Remove',
  removeOf: (host: string) => `Remove ${host}`,
  removeNote: 'Its messages and their history go with it, for good.',
  removed: (host: string) => `${host} is removed`,
  state: { on: 'On', failing: 'Failing', off: 'Off' },
  failures: (count: number, since: string) => `${count} tries in a row failed, the first on ${since}.`,
} as const;

export const disabledCopy: Record<DisabledReason, (day: string) => string> = {
  staff: (day) => `Switched off by staff on ${day}.`,
  failing: (day) => `Switched off on ${day}: it failed for more than a day.`,
  gone: (day) => `Switched off on ${day}: it answered 410 Gone.`,
};

export const payloadCopy: Record<EventPayload, string> = {
  thin: 'Ids only (recommended)',
  full: 'Also contact details',
};

/** Beside the choice of contact details. */
export const payloadWarning =
  'Names, e-mail addresses and phone numbers of people who ask about a treatment are health data. Send them only to a system that you have a contract with for that.';

export const eventTypeCopy: Record<EventType, string> = {
  'lead.created': 'a lead came in',
  'lead.assigned': 'a lead was given to a provider',
  'lead.updated': 'a lead changed, or its provider told an outcome',
  'lead.deleted': 'a lead was deleted',
  'lead.erased': 'a lead’s person was erased',
  'lead.consent_revoked': 'a person withdrew the consent',
  'lead.delivery_failed': 'an e-mail or CRM delivery was given up',
  'provider.updated': 'a provider was added or changed',
  'provider.deactivated': 'a provider became inactive',
  'sync.completed': 'a provider sync ended',
};

export const messageCopy = {
  list: 'Messages',
  caption: 'Messages to endpoints',
  empty: 'There are no messages that fit.',
  loadFailed: 'Failed to load messages',
  kept: 'Messages are kept for 30 days.',
  endpoint: 'Endpoint',
  anyEndpoint: 'All endpoints',
  goneEndpoint: 'removed',
  state: 'State',
  anyState: 'All states',
  columns: { at: 'When', type: 'Event', about: 'About', to: 'To', state: 'State', actions: 'Actions' },
  states: {
    queued: 'Queued',
    delivered: 'Delivered',
    failed: 'Failed',
    cancelled: 'Cancelled',
  } satisfies Record<MessageState, string>,
  aboutLead: (id: number) => `lead ${id}`,
  aboutProvider: (id: number) => `provider ${id}`,
  attempts: (count: number) => (count === 1 ? '1 try' : `${count} tries`),
  nextAttempt: (instant: string) => `next try ${instant}`,
  showAttempts: 'Tries',
  showAttemptsOf: (type: string, id: string) => `Tries of ${type} ${id}`,
  noAttempts: 'It was not tried yet.',
  attemptsFailed: 'Failed to load the tries',
  webhookId: 'webhook-id',
  delivered: 'Delivered',
  failed: 'Failed',
  answer: 'Answer',
  replay: 'Replay',
  replayOf: (type: string, id: string) => `Replay ${type} ${id}`,
  replayed: 'The message is queued again',
  replayFailed: 'Failed to replay the message',
  replaySince: 'Replay since…',
  replaySinceNote:
    'Everything since then that the endpoint is told of is sent, again where it was sent before, and what happened while it was off: 10,000 messages at a time, the oldest first.',
  since: 'Since',
  replaySubmit: 'Replay',
  replaying: (count: number) =>
    count === 0 ? 'Nothing to replay since then' : `${counted(count, 'message')} queued`,
  left: (count: number) => `${counted(count, 'message')} queued. There are more, from later on.`,
  replayRest: 'Replay more',
  newer: 'Newer',
  older: 'Older',
  paging: 'Pages of messages',
} as const;

export const bannerCopy = {
  off: (host: string) => `${host} is told of nothing any more`,
  failing: (host: string) => `${host} doesn’t take its messages`,
  open: 'Open integrations',
} as const;
