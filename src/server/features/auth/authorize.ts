import { accountKey, includesRole, type StaffRole, type TokenScope } from '#shared/admin/staff.ts';
import { writeWithTimeout } from '#server/db/withTimeout.ts';
import { AppError } from '#server/errors.ts';
import type { Caller } from '#server/caller.ts';
import type { Services } from '#server/services.ts';
import { isDashboardConfigured } from './accounts.ts';
import type { Actor, ActorServices, StaffActor } from './actor.ts';
import { findSession } from './sessions.ts';
import { findToken } from './tokens.ts';

/** Who may call: staff with at least this role, and scripts whose token has the scope. Null: none of them. */
export interface StaffAccess {
  role: StaffRole | null;
  scope: TokenScope | null;
}

/** Access to one operation, by its procedure's name. */
type OperationAccess = StaffAccess & { operation: string };

type AuthorizeServices = ActorServices &
  Pick<Services, 'auditCounts'> & { limits: Pick<Services['limits'], 'staff'> };

/** The dashboard's API exists on the main domains only. Throws NOT_FOUND elsewhere. */
export function refuseElsewhere(caller: Pick<Caller, 'site'>): void {
  if (caller.site.kind !== 'main') throw new AppError('NOT_FOUND', 'Not found.');
}

const found = new WeakMap<Caller, Promise<Actor | null>>();

/**
 * The caller by bearer token, otherwise by session cookie; null without one, or if it is unknown, revoked or expired.
 * Looked up once per caller, on demand: a public call costs no query. Throws SERVICE_UNAVAILABLE.
 */
export function findActor(services: ActorServices, caller: Caller): Promise<Actor | null> {
  const known = found.get(caller);
  if (known !== undefined) return known;
  const looked = lookUp(services, caller);
  found.set(caller, looked);
  return looked;
}

async function lookUp(services: ActorServices, { credentials }: Caller): Promise<Actor | null> {
  const { bearer, session, isBackground } = credentials;
  // A script that sends a token relies on it: a cookie does not replace an invalid token.
  if (bearer !== null) return findToken(services, bearer);
  return session === null ? null : findSession(services, { token: session, isBackground });
}

function hasAccess(actor: Actor, { role, scope }: StaffAccess): boolean {
  return actor.kind === 'staff'
    ? role !== null && includesRole(actor.role, role)
    : scope !== null && actor.scopes.includes(scope);
}

/**
 * For a public query that returns more to staff: whether the caller has this access. Costs no query without
 * credentials. Throws UNAUTHORIZED for an invalid bearer token, TOO_MANY_REQUESTS, and SERVICE_UNAVAILABLE.
 */
export async function isAllowed(
  { services, caller }: { services: AuthorizeServices; caller: Caller },
  access: StaffAccess,
): Promise<boolean> {
  const { bearer, session } = caller.credentials;
  if (caller.site.kind !== 'main' || (bearer === null && session === null)) return false;
  const actor = await writeWithTimeout(services.health, () => findActor(services, caller));
  if (actor === null && bearer !== null) throw new AppError('UNAUTHORIZED', 'Unknown or revoked API token.');
  if (actor === null || !hasAccess(actor, access)) return false;
  await services.limits.staff.take(actor, caller);
  return true;
}

/** Without anyone who can sign in, the dashboard's API doesn't exist. Throws NOT_FOUND then. */
export async function refuseUnconfigured(services: Pick<ActorServices, 'config' | 'db'>): Promise<void> {
  if (!(await isDashboardConfigured(services))) throw new AppError('NOT_FOUND', 'Not found.');
}

interface Attempt {
  access: StaffAccess;
  isChange: boolean;
  caller: Caller;
}

/** Why a caller may not do it; null if allowed. */
function catchRefusal(actor: Actor, { access, isChange, caller }: Attempt): string | null {
  if (actor.kind === 'staff' && access.role === null)
    return `Only an API token with the scope ${access.scope} may do this, not a staff session.`;
  if (!hasAccess(actor, access)) return 'Not allowed.';
  return actor.kind === 'staff' && isChange && !caller.credentials.isOwnPage
    ? 'Changes are only accepted from a page of this site, as JSON.'
    : null;
}

/** Another tab of the browser may have signed in since: then the page must not act, and be audited, as that account. */
function expectAccount({ name, accountId }: StaffActor, { credentials: { account } }: Caller): void {
  if (account === null || account === accountKey(accountId)) return;
  throw new AppError('CONFLICT', `You are signed in as ${name}. Nothing was changed.`, {
    reason: 'other-account',
  });
}

/**
 * The one rule for both transports: returns the caller if access is allowed. Throws NOT_FOUND on any host but a main
 * one, UNAUTHORIZED without a valid session or token (NOT_FOUND if nobody can sign in), SERVICE_UNAVAILABLE while the
 * database is down, TOO_MANY_REQUESTS for a session or token above its limit, and FORBIDDEN for an insufficient role or
 * scope and for a change by cookie that is not JSON from a page of the same origin, which is counted for the audit log.
 * Throws CONFLICT for a change by a page that shows another account.
 */
export async function authorize(
  { services, caller }: { services: AuthorizeServices; caller: Caller },
  access: OperationAccess,
  type: 'query' | 'mutation' | 'subscription',
): Promise<Actor> {
  refuseElsewhere(caller);
  const actor = await writeWithTimeout(services.health, () => findActor(services, caller));
  if (actor === null) {
    await writeWithTimeout(services.health, () => refuseUnconfigured(services));
    throw new AppError('UNAUTHORIZED', 'Sign in first.');
  }
  await services.limits.staff.take(actor, caller);
  const refusal = catchRefusal(actor, { access, isChange: type !== 'query', caller });
  if (refusal === null) {
    if (actor.kind === 'staff' && type !== 'query') expectAccount(actor, caller);
    return actor;
  }
  const { ip } = caller;
  services.auditCounts.count({ actor, ip, action: 'access.denied', subject: null, name: access.operation });
  throw new AppError('FORBIDDEN', refusal);
}
