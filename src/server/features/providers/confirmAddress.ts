import { createHash } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { confirmAddressDays } from '#shared/brand/application.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { providers } from '#server/db/schema/index.ts';
import { readSigned, signText } from '#server/security/signedText.ts';
import type { Services } from '#server/services.ts';
import { recordAudit } from '../audit/audit.ts';

/** Names an address in a link without containing it: a link to a former address confirms nothing. */
function makeStamp(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('base64url').slice(0, 22);
}

interface Addressee {
  id: number;
  email: string;
}

/** The token of the link that confirms a provider's email. */
export function signAddress(keys: readonly string[], { id, email }: Addressee, now: Date): string {
  const ends = (now.getTime() + confirmAddressDays * dayMs).toString(36);
  return signText(keys, 'provider-address', `${id}_${ends}_${makeStamp(email)}`);
}

const tokenPattern = /^([1-9]\d{0,14})_([0-9a-z]{1,11})_([\w-]{22})$/;

/** The provider of a link that is ours, hasn't ended, and went to its present address; null for any other. */
export async function findAddressee(
  { config, db, now }: Pick<Services, 'config' | 'now'> & { db: Queryable },
  token: string,
): Promise<{ id: number; isDone: boolean } | null> {
  const [, text = '', ends = '', stamp] =
    tokenPattern.exec(readSigned(config.secretKeys, 'provider-address', token) ?? '') ?? [];
  if (stamp === undefined || now().getTime() >= Number.parseInt(ends, 36)) return null;
  const id = Number(text);
  const { email, emailConfirmedAt } = providers;
  const [row] = await db.select({ email, emailConfirmedAt }).from(providers).where(eq(providers.id, id));
  if (row === undefined || makeStamp(row.email) !== stamp) return null;
  return { id, isDone: row.emailConfirmedAt !== null };
}

const clinic = { kind: 'visitor', name: 'Clinic' } as const;

/** Notes that a provider's present address was confirmed by its link, once, with an audit entry. */
export function confirmAddress(
  services: Pick<Services, 'config' | 'db' | 'now'>,
  { token, ip }: { token: string; ip: string },
): Promise<boolean> {
  const { db, now } = services;
  return db.transaction(async (tx) => {
    const found = await findAddressee({ ...services, db: tx }, token);
    if (found === null) return false;
    const { count } = await tx
      .update(providers)
      .set({ emailConfirmedAt: now() })
      .where(and(eq(providers.id, found.id), isNull(providers.emailConfirmedAt)));
    const subject = { kind: 'provider', id: found.id } as const;
    if (count > 0) await recordAudit(tx, { actor: clinic, ip, action: 'provider.confirm-address', subject });
    return true;
  });
}
