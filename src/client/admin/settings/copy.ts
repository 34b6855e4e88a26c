/** Text of the owners' screens. It is the same for every brand. */
export const settingsCopy = {
  loadFailed: {
    team: 'Failed to load the team',
    tokens: 'Failed to load tokens',
    audit: 'Failed to load the audit log',
  },
  never: 'never',
} as const;

export const roleCopy = {
  viewer: { name: 'Viewer', may: 'sees leads and clinics' },
  manager: { name: 'Manager', may: 'also works on them' },
  owner: { name: 'Owner', may: 'also manages team and tokens, and reads the audit log' },
} as const;

export const teamCopy = {
  lead: 'Named accounts beside the shared password. Whoever uses that one is the owner named Staff.',
  caption: 'Named accounts',
  empty:
    'There are no named accounts yet. Everyone shares one password, and the audit log can’t tell them apart.',
  columns: { name: 'Name', email: 'Email', role: 'Role', lastSignIn: 'Last sign-in', actions: 'Actions' },
  own: 'you',
  roleOf: (name: string) => `Role of ${name}`,
  add: 'Add a person',
  password: 'Password',
  passwordHint: 'At least 12 characters. Hand it over in person or by a password manager.',
  setPassword: 'Set password',
  setPasswordOf: (name: string) => `Set password of ${name}`,
  passwordNote: 'Every session of this account ends.',
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removeNote: 'The account and its sessions end at once. What it did stays in the audit log.',
  added: (name: string) => `${name} was added`,
  roleChanged: (name: string) => `The role of ${name} was changed`,
  passwordChanged: (name: string) => `The password of ${name} was changed`,
  removed: (name: string) => `${name} was removed`,
} as const;

export const tokenCopy = {
  lead: 'For scripts: sent as “Authorization: Bearer mpx_…”. A token is shown once, when it is made.',
  caption: 'Tokens of scripts',
  empty: 'There are no tokens. Make one for each script, so that one can be ended without the others.',
  columns: {
    name: 'Name',
    token: 'Token',
    scopes: 'Scopes',
    madeBy: 'Made by',
    lastUsed: 'Last used',
    actions: 'Actions',
  },
  add: 'New token',
  make: 'Make token',
  scopes: 'What it may do',
  made: (name: string) => `Token “${name}” is made`,
  onlyTime: 'Copy it now: this is the only time it is shown.',
  revoke: 'Revoke',
  revokeOf: (name: string) => `Revoke “${name}”`,
  revokeNote: 'Scripts that use it are refused at once, for good.',
  revoked: (name: string) => `“${name}” no longer counts`,
  revokedOn: (day: string) => `Revoked ${day}`,
} as const;

export const scopeCopy = {
  'leads:read': 'read leads',
  'leads:write': 'assign, delete and retry leads',
  'providers:read': 'read providers',
  'providers:write': 'change providers',
  'sync:run': 'run the provider sync',
} as const;

export const auditCopy = {
  lead: 'Who did what, when, from where. Times and days are in UTC. No line can be changed.',
  caption: 'Audit log',
  empty: 'Nothing was written down that fits these filters.',
  columns: {
    at: 'When (UTC)',
    actor: 'Who',
    action: 'What',
    subject: 'To what',
    ip: 'From',
    detail: 'Detail',
  },
  filters: 'Filters',
  action: 'What',
  anyAction: 'Everything',
  actor: 'Who',
  subject: 'To what',
  anySubject: 'Anything',
  subjectId: 'Its number',
  from: 'From day',
  to: 'To day',
  apply: 'Show',
  clear: 'Clear filters',
  paging: 'Pages of the audit log',
  onServer: 'the server',
  kinds: { staff: 'staff', token: 'script', command: 'command', visitor: 'not signed in' },
} as const;
