import type { Caller } from '#server/caller.ts';
import { AppError } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { findActor } from '../../auth/authorize.ts';
import type { Verdict } from '../../submissions/spam.ts';

export interface SenderRights {
  /** Whether the person may get an email: anyone can post any address. */
  mayMailPerson: boolean;
  /** Whether a script with an API token of `leads:write` sent it. */
  isScoped: boolean;
}

/**
 * What the sender of a lead may cause: an email to the person needs a genuine form token, or an API token with
 * `leads:write`. Throws UNAUTHORIZED for a bearer token that is unknown or revoked.
 */
export async function listRights(
  services: Services,
  caller: Caller,
  { kind }: Verdict,
): Promise<SenderRights> {
  if (caller.credentials.bearer === null) return { mayMailPerson: kind === 'form', isScoped: false };
  const actor = await findActor(services, caller);
  if (actor === null) throw new AppError('UNAUTHORIZED', 'Unknown or revoked API token.');
  const isScoped = actor.kind === 'token' && actor.scopes.includes('leads:write');
  return { mayMailPerson: kind === 'form' || isScoped, isScoped };
}
