import type { Caller } from '#server/caller.ts';
import type { Actor, ActorServices } from './actor.ts';
import { findSession } from './sessions.ts';
import { findToken } from './tokens.ts';

const found = new WeakMap<Caller, Promise<Actor | null>>();

/**
 * The caller by bearer token, otherwise by session cookie; null without one, and for a token or session that is
 * unknown, revoked or expired. Looked up once per caller, when a procedure asks: a public call costs no query. Throws
 * SERVICE_UNAVAILABLE while the database is unavailable.
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
