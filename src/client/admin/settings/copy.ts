import type { AuditAction, AuditLine, auditSubjectKinds } from '#shared/admin/audit.ts';

/** Text of the owners' screens. It is the same for every brand. */
export const settingsCopy = {
  loadFailed: {
    team: 'Failed to load the team',
    tokens: 'Failed to load tokens',
    audit: 'Failed to load the audit log',
  },
  never: 'Never',
} as const;

export const roleCopy = {
  viewer: { name: 'Viewer', may: 'Can view leads and providers' },
  manager: { name: 'Manager', may: 'Can edit leads and providers' },
  owner: { name: 'Owner', may: 'Can also manage the team, tokens and the audit log' },
} as const;

export const teamCopy = {
  lead: 'Give each person their own account. Anyone who uses the shared password signs in as “Staff” (owner).',
  caption: 'Team',
  empty: 'No accounts yet. Everyone shares one password, so the audit log shows them all as “Staff”.',
  columns: { name: 'Name', email: 'Email', role: 'Role', lastSignIn: 'Last sign-in', actions: 'Actions' },
  own: 'you',
  roleOf: (name: string) => `Role of ${name}`,
  add: 'Add a person',
  password: 'Password',
  passwordHint: 'At least 12 characters, hard to guess. Share it in person or with a password manager.',
  setPassword: 'Set password',
  setPasswordOf: (name: string) => `Set password for ${name}`,
  passwordNote: 'This signs the account out everywhere.',
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removeNote: 'The account is removed and signed out immediately. Its history stays in the audit log.',
  added: (name: string) => `${name} added`,
  roleChanged: (name: string) => `${name}’s role changed`,
  passwordChanged: (name: string) => `${name}’s password changed`,
  removed: (name: string) => `${name} removed`,
} as const;

export const suppressionListCopy = {
  title: 'Do not contact',
  lead: 'Email addresses and phone numbers that nobody may contact. Owners lift an entry in its lead.',
  caption: 'Do not contact',
  empty: 'Nobody is on the list.',
  columns: { value: 'Email or phone', since: 'Since', reason: 'Reason', lead: 'Lead' },
  /** Only the hash is left: of a person whose leads were purged or erased. */
  masked: (hash: string) => `Not stored any more (hash ${hash.slice(0, 12)}…)`,
  total: (count: number) => `Total: ${count.toLocaleString('en-US')}`,
  pager: 'Pages of the list',
  failed: 'Failed to load the list',
} as const;

export const tokenCopy = {
  lead: 'For scripts. Send it as “Authorization: Bearer mpx_…”. You’ll see the token only once.',
  caption: 'API tokens',
  empty: 'No tokens yet. Create one per script so you can revoke them separately.',
  columns: {
    name: 'Name',
    token: 'Token',
    scopes: 'Permissions',
    madeBy: 'Created by',
    lastUsed: 'Last used',
    actions: 'Actions',
  },
  add: 'New token',
  make: 'Create token',
  scopes: 'Permissions',
  made: (name: string) => `Token “${name}” created.`,
  onlyTime: 'Copy it now. You won’t see it again.',
  revoke: 'Revoke',
  revokeOf: (name: string) => `Revoke “${name}”`,
  revokeNote: 'Scripts using it stop working immediately.',
  revoked: (name: string) => `“${name}” revoked`,
  revokedOn: (day: string) => `Revoked ${day}`,
} as const;

export const scopeCopy = {
  'leads:read': 'Read leads',
  'leads:write': 'Assign, delete and retry leads; a change returns its lead',
  'providers:read': 'Read providers',
  'providers:write': 'Change providers',
  'sync:run': 'Run the provider sync',
  'deliveries:read': 'Read deliveries',
  'deliveries:write': 'Retry deliveries',
  'webhooks:read': 'Read webhook endpoints and their deliveries',
  'webhooks:write': 'Change webhook endpoints',
} as const;

/** Who acted, after the name. People need no such note. */
const actorNotes = { staff: null, token: 'API token', command: 'command', visitor: null } as const;

export const auditCopy = {
  lead: 'Every change made by your team. Entries can’t be edited.',
  caption: 'Audit log',
  empty: 'No entries match these filters.',
  columns: {
    at: 'When',
    actor: 'Who',
    action: 'Action',
    detail: 'Details',
  },
  filters: 'Filters',
  action: 'Action',
  anyAction: 'All',
  actor: 'Who',
  subject: 'Object',
  anySubject: 'All',
  subjectId: 'ID',
  from: 'From',
  to: 'To',
  apply: 'Apply',
  clear: 'Clear filters',
  paging: 'Pages of the audit log',
  /** Where a command ran, in place of an IP address. */
  onServer: 'On the server',
  actorOf: ({ kind, name }: AuditLine['actor']) => {
    const note = actorNotes[kind];
    return note === null ? name : `${name} (${note})`;
  },
  subjectOf: ({ kind, id }: { kind: string; id: string }): string =>
    `${auditCopy.subjects[kind] ?? kind} ${id}`,
  /** 'Lead 310: Kit Elmsworth' */
  named: (subject: string, name: string) => `${subject}: ${name}`,
  subjects: {
    lead: 'Lead',
    claim: 'Claim',
    provider: 'Provider',
    application: 'Application',
    token: 'API token',
    endpoint: 'Endpoint',
    account: 'Account',
    sync: 'Sync run',
    delivery: 'Delivery',
    alert: 'Alert',
  } satisfies Record<(typeof auditSubjectKinds)[number], string> as Readonly<Record<string, string>>,
  actions: {
    'sign-in': 'Signed in',
    'sign-in-failed': 'Failed sign-in',
    'sign-in-link': 'Sign-in link sent',
    'sign-in-refused': 'Refused sign-ins',
    'sign-out': 'Signed out',
    'access.denied': 'Access denied',
    'lead.view': 'Viewed a lead',
    'leads.list': 'Listed leads',
    'lead.assign': 'Assigned a lead',
    'lead.unassign': 'Assignment undone',
    'lead.take-away': 'Took a lead away from its provider',
    'lead.correct': 'Corrected a lead',
    'lead.delete': 'Deleted a lead',
    'lead.undo': 'Restored a lead',
    'lead.release': 'Released a lead',
    'lead.retry': 'Retried a delivery',
    'lead.outcome': 'Recorded an outcome',
    'lead.rematch': 'Rematched a lead',
    'lead.suppress': 'Suppressed a person',
    'suppression.lift': 'Lifted a suppression',
    'task.complete': 'Completed a task',
    'person.find': 'Looked up a person’s data',
    'person.export': 'Exported personal data',
    'person.erase': 'Erased personal data',
    'leads.export': 'Exported leads',
    'providers.export': 'Exported providers',
    'insights.export': 'Exported insights',
    'provider.update': 'Updated a provider',
    'provider.change': 'Changed a provider’s email, domain or status',
    'provider.send-again': 'Sent held emails again',
    'provider.confirm': 'Confirmed a provider of the sync',
    'application.release': 'Released an application',
    'application.status': 'Changed an application',
    'applications.list': 'Listed applications',
    'mail.view': 'Viewed a message',
    'sync.run': 'Ran a sync',
    'providers.push': 'Pushed providers',
    'token.create': 'Created an API token',
    'token.revoke': 'Revoked an API token',
    'endpoint.create': 'Added an endpoint',
    'endpoint.update': 'Edited an endpoint',
    'endpoint.enable': 'Turned an endpoint on',
    'endpoint.disable': 'Turned an endpoint off',
    'endpoint.rotate': 'Rotated a secret',
    'endpoint.test': 'Tested an endpoint',
    'endpoint.replay': 'Replayed events',
    'endpoint.remove': 'Removed an endpoint',
    'account.create': 'Added an account',
    'account.role': 'Changed a role',
    'account.password': 'Changed a password',
    'account.remove': 'Removed an account',
    'audit.prune': 'Removed old audit entries',
    'alert.dismiss': 'Dismissed an alert',
    'alerts.mail': 'Emailed alerts to owners',
    'claim.accept': 'Accepted a claim',
  } satisfies Record<AuditAction, string> as Readonly<Record<string, string>>,
} as const;
