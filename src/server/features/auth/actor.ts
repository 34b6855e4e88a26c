import type { StaffRole, TokenScope } from '#shared/admin/staff.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/db/connect.ts';
import type { DatabaseHealth } from '#server/db/poolWatchdog.ts';

/** A person who is signed in. `accountId` is null for the shared password, whose owner is named `Staff`. */
export interface StaffActor {
  kind: 'staff';
  name: string;
  role: StaffRole;
  accountId: number | null;
  sessionId: string;
  /** The sign-in, or the last confirmation after it (recentSignIn.ts). */
  provedAt: Date;
}

export interface TokenActor {
  kind: 'token';
  name: string;
  tokenId: number;
  scopes: TokenScope[];
}

/** The author of a staff action; each entry of the audit log names one. */
export type Actor = StaffActor | TokenActor;

/** Authors that are nobody's name. */
const roles = ['Visitor', 'Clinic', 'System'];

/** The author of a change as a caller may read it: a token gets `Staff` in place of the name of a person or script. */
export function authorFor(reader: { kind: string }, name: string): string {
  return reader.kind !== 'token' || roles.includes(name) ? name : 'Staff';
}

export interface ActorServices {
  config: Config;
  db: Database;
  health: DatabaseHealth;
  now: () => Date;
}
