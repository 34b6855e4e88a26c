import type { DisabledReason, EventPayload, EventType } from '#shared/admin/webhooks.ts';

const number = (value: number): string => value.toLocaleString('en-US');

/** Texts of the tab for webhook endpoints. They are the same for every brand. */
export const endpointCopy = {
  lead: 'Send events to other systems as webhooks, signed as in Standard Webhooks.',
  loading: 'Loading integrations…',
  loadFailed: 'Failed to load integrations',
  list: 'Endpoints',
  empty: 'No endpoints yet. Add one to start receiving events.',
  add: 'Add endpoint',
  url: 'URL',
  urlHint: 'Must start with https://. Receives POST requests.',
  description: 'Description',
  descriptionHint: 'Optional. Helps your team recognize it.',
  types: 'Event types',
  typesHint: 'Leave all unchecked to receive every event, including new ones.',
  typesOf: (types: readonly string[]) => `Event types: ${types.length === 0 ? 'all' : types.join(', ')}`,
  payload: 'Payload',
  createdBy: (by: string, day: string) => `Added by ${by}, ${day}`,
  added: 'Endpoint added',
  secretLead: 'Webhooks are signed with this secret.',
  deliveries: 'Deliveries',
  deliveriesOf: (host: string) => `Deliveries to ${host}`,
  edit: 'Edit',
  editOf: (host: string) => `Edit ${host}`,
  save: 'Save',
  saved: (host: string) => `${host} saved`,
  test: 'Send test',
  testOf: (host: string) => `Send a test to ${host}`,
  testing: 'Sending…',
  tested: (host: string) => `${host} accepted the test`,
  testFailed: (host: string) => `The test to ${host} failed`,
  failed: 'Something went wrong. Please try again.',
  rotate: 'New secret',
  rotateOf: (host: string) => `New secret for ${host}`,
  rotateNote:
    'Webhooks are signed with both secrets for 24 hours so you can update the receiver. After that, only the new one is valid.',
  rotated: 'New secret',
  bothUntil: (instant: string) => `Signed with both secrets until ${instant}`,
  switchOff: 'Turn off',
  switchOffOf: (host: string) => `Turn off ${host}`,
  switchOffNote:
    'Queued deliveries are canceled. After you turn it back on, you can replay the events since then.',
  switchedOff: (host: string) => `${host} is off`,
  switchOn: 'Turn on',
  switchOnOf: (host: string) => `Turn on ${host}`,
  switchedOn: (host: string) => `${host} is on`,
  remove: 'Remove',
  removeOf: (host: string) => `Remove ${host}`,
  removeNote: 'Its deliveries and their attempts are permanently deleted.',
  removed: (host: string) => `${host} removed`,
  state: { on: 'On', failing: 'Failing', off: 'Off' },
  failures: (count: number, since: string) => `${count} attempts in a row failed, the first on ${since}.`,
} as const;

export const disabledCopy: Record<DisabledReason, (day: string) => string> = {
  staff: (day) => `Turned off by staff on ${day}.`,
  failing: (day) => `Turned off on ${day} after failing for more than a day.`,
  gone: (day) => `Turned off on ${day}: the endpoint responded 410 Gone.`,
};

export const payloadCopy: Record<EventPayload, string> = {
  thin: 'IDs only (recommended)',
  full: 'Including contact details',
};

/** Shown after contact details are chosen. */
export const payloadWarning =
  'Names, email addresses and phone numbers of people who ask about a treatment are health data. Send them only to systems covered by a contract.';

export const eventTypeCopy: Record<EventType, string> = {
  'lead.created': 'a lead was created',
  'lead.assigned': 'a lead was assigned to a provider',
  'lead.updated': 'a lead changed or an outcome was reported',
  'lead.deleted': 'a lead was deleted',
  'lead.erased': 'a person’s data was erased',
  'lead.consent_revoked': 'a person withdrew consent',
  'lead.delivery_failed': 'an email or CRM delivery failed permanently',
  'provider.updated': 'a provider was added or changed',
  'provider.deactivated': 'a provider became inactive',
  'sync.completed': 'a provider sync finished',
};

export const replayCopy = {
  open: 'Replay since…',
  openOf: (host: string) => `Replay since… to ${host}`,
  title: (host: string) => `Replay events to ${host}`,
  note: 'Resends every event this endpoint listens to since that time, including ones already delivered. Up to 10,000 at a time, oldest first.',
  kept: 'Events are kept for 30 days unless your configuration changes that.',
  since: 'Since',
  submit: 'Replay',
  queued: (count: number) => (count === 0 ? 'Nothing to replay since then' : `${events(count)} queued`),
  rest: (count: number) => `${events(count)} queued. There are more: replay again from a later time.`,
  submitRest: 'Replay more',
} as const;

function events(count: number): string {
  return `${number(count)} ${count === 1 ? 'event' : 'events'}`;
}

export const bannerCopy = {
  off: (host: string) => `${host} no longer receives events`,
  failing: (host: string) => `${host} isn’t accepting webhooks`,
  open: 'Open integrations',
} as const;
