import type { StaffRole, TokenScope } from '#shared/admin/staff.ts';
import type { Services } from '#server/services.ts';

/** A person who is signed in. `accountId` is null for the shared password, whose owner is named `Staff`. */
export interface StaffActor {
  kind: 'staff';
  name: string;
  role: StaffRole;
  accountId: number | null;
  sessionId: string;
}

/** A script with a token. */
export interface TokenActor {
  kind: 'token';
  name: string;
  tokenId: number;
  scopes: TokenScope[];
}

/** The author of a staff action; each entry of the audit log names one. */
export type Actor = StaffActor | TokenActor;

export type ActorServices = Pick<Services, 'config' | 'db' | 'health' | 'now'>;
