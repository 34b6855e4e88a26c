import type { Caller } from '#server/caller.ts';
import type { Actor, ActorServices } from './actor.ts';
import { findSession } from './sessions.ts';
import { findToken } from './tokens.ts';

const found = new WeakMap<Caller, Promise<Actor | null>>();

/**
 * Who makes a call, by its bearer token, else by its session cookie; null for nobody, and for a token or session that is unknown, revoked
 * or over. Looked up once per caller, when first asked: a public call costs no query. Throws SERVICE_UNAVAILABLE while the database is away.
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
  // A script that shows a token means it: a bad one isn't made good by a cookie.
  if (bearer !== null) return findToken(services, bearer);
  return session === null ? null : findSession(services, { token: session, isBackground });
}
