import type { DisabledReason, EventPayload, EventType } from '#shared/admin/webhooks.ts';

const number = (value: number): string => value.toLocaleString('en-US');

/** Texts of the tab for webhook endpoints. They are the same for every brand. */
export const endpointCopy = {
  lead: 'Signed webhooks notify other systems of what happens here. How to receive them is in docs/webhooks.md.',
  loading: 'Loading integrations…',
  loadFailed: 'Failed to load integrations',
  codeFailed: 'This tab could not be loaded.',
  list: 'Endpoints',
  empty: 'There are no endpoints. Add one to send it events from then on.',
  add: 'Add an endpoint',
  url: 'URL',
  urlHint: 'Begins with https://. It receives POST requests.',
  description: 'Description',
  descriptionHint: 'Optional. What it is, for your colleagues.',
  types: 'Event types',
  typesHint: 'Leave empty to receive all events, including future ones.',
  typesOf: (types: readonly string[]) => `Event types: ${types.length === 0 ? 'all' : types.join(', ')}`,
  payload: 'What is sent',
  createdBy: (by: string, day: string) => `Added by ${by}, ${day}`,
  added: 'The endpoint is added and on',
  secretLead: 'Webhooks are signed with this secret.',
  onlyTime: 'Copy it now: this is the only time it is shown.',
  deliveries: 'Deliveries',
  deliveriesOf: (host: string) => `Deliveries to ${host}`,
  edit: 'Change',
  editOf: (host: string) => `Change ${host}`,
  save: 'Save',
  saved: (host: string) => `${host} is changed`,
  test: 'Send test',
  testOf: (host: string) => `Send a test to ${host}`,
  testing: 'Sending…',
  tested: (host: string) => `${host} accepted the test`,
  testFailed: (host: string) => `The test to ${host} failed`,
  failed: 'That did not work. Please try again.',
  rotate: 'New secret',
  rotateOf: (host: string) => `New secret for ${host}`,
  rotateNote:
    'For 24 hours webhooks are signed with both secrets, so that you can update the receiver. After that only the new one is valid.',
  rotated: 'The new secret',
  bothUntil: (instant: string) => `Signed with both secrets until ${instant}`,
  switchOff: 'Switch off',
  switchOffOf: (host: string) => `Switch ${host} off`,
  switchOffNote:
    'Queued deliveries are cancelled. Events that happen while it is off are kept for 30 days, so that you can replay them once it is on again.',
  switchedOff: (host: string) => `${host} is off`,
  switchOn: 'Switch on',
  switchOnOf: (host: string) => `Switch ${host} on`,
  switchedOn: (host: string) => `${host} is on`,
  remove: 'Remove',
  removeOf: (host: string) => `Remove ${host}`,
  removeNote: 'Its deliveries and their attempts are deleted for good.',
  removed: (host: string) => `${host} is removed`,
  state: { on: 'On', failing: 'Failing', off: 'Off' },
  failures: (count: number, since: string) => `${count} attempts in a row failed, the first on ${since}.`,
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

/** Shown after contact details are chosen. */
export const payloadWarning =
  'Names, e-mail addresses and phone numbers of people who ask about a treatment are health data. Send them only to a system that you have a contract with for that.';

export const eventTypeCopy: Record<EventType, string> = {
  'lead.created': 'a lead arrived',
  'lead.assigned': 'a lead was assigned to a provider',
  'lead.updated': 'a lead changed, or its provider reported an outcome',
  'lead.deleted': 'a lead was deleted',
  'lead.erased': 'a lead’s person was erased',
  'lead.consent_revoked': 'a person withdrew the consent',
  'lead.delivery_failed': 'an e-mail or CRM delivery failed for good',
  'provider.updated': 'a provider was added or changed',
  'provider.deactivated': 'a provider became inactive',
  'sync.completed': 'a provider sync ended',
};

export const replayCopy = {
  open: 'Replay since…',
  openOf: (host: string) => `Replay since… to ${host}`,
  title: (host: string) => `Replay events to ${host}`,
  note: 'Sends every event since then that matches the event types, again if it was sent before, including those from while the endpoint was off: 10,000 at a time, the oldest first.',
  kept: 'Events are kept for 30 days.',
  since: 'Since',
  submit: 'Replay',
  queued: (count: number) => (count === 0 ? 'Nothing to replay since then' : `${events(count)} queued`),
  rest: (count: number) => `${events(count)} queued. There are more, from a later time.`,
  submitRest: 'Replay more',
} as const;

function events(count: number): string {
  return `${number(count)} ${count === 1 ? 'event' : 'events'}`;
}

export const bannerCopy = {
  off: (host: string) => `${host} receives no more events`,
  failing: (host: string) => `${host} does not accept its webhooks`,
  open: 'Open integrations',
} as const;
