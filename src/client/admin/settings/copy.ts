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
  passwordHint: 'At least 12 characters. Share it in person or with a password manager.',
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

export const tokenCopy = {
  lead: 'For scripts. Send it as “Authorization: Bearer mpx_…”. You’ll see the token only once.',
  caption: 'API tokens',
  empty: 'No tokens yet. Create one per script so you can revoke them separately.',
  columns: {
    name: 'Name',
    token: 'Token',
    scopes: 'Scopes',
    madeBy: 'Created by',
    lastUsed: 'Last used',
    actions: 'Actions',
  },
  add: 'New token',
  make: 'Create token',
  scopes: 'Permissions',
  made: (name: string) => `Token “${name}” created`,
  onlyTime: 'Copy it now. You won’t see it again.',
  revoke: 'Revoke',
  revokeOf: (name: string) => `Revoke “${name}”`,
  revokeNote: 'Scripts using it stop working immediately.',
  revoked: (name: string) => `“${name}” revoked`,
  revokedOn: (day: string) => `Revoked ${day}`,
} as const;

export const scopeCopy = {
  'leads:read': 'Read leads',
  'leads:write': 'Assign, delete and retry leads',
  'providers:read': 'Read providers',
  'providers:write': 'Change providers',
  'sync:run': 'Run the provider sync',
} as const;

export const auditCopy = {
  lead: 'Every change made by your team. Entries can’t be edited.',
  caption: 'Audit log',
  empty: 'No entries match these filters.',
  columns: {
    at: 'When',
    actor: 'Who',
    action: 'Action',
    subject: 'Object',
    ip: 'From',
    detail: 'Details',
  },
  filters: 'Filters',
  action: 'Action',
  anyAction: 'All',
  actor: 'Who',
  subject: 'Object',
  anySubject: 'All',
  subjectId: 'ID',
  from: 'From (UTC)',
  to: 'To (UTC)',
  apply: 'Apply',
  clear: 'Clear filters',
  paging: 'Pages of the audit log',
  onServer: 'the server',
  kinds: { staff: 'staff', token: 'script', command: 'command', visitor: 'not signed in' },
} as const;
