import { isDeepStrictEqual } from 'node:util';
import { and, eq, isNull, ne, notExists } from 'drizzle-orm';
import type { z } from 'zod';
import type { AdminProvider, providerActiveInput } from '#shared/admin/adminProviders.ts';
import { leadFieldFaults } from '#shared/leads/leadFields.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leads, type ProviderInsert, type ProviderRow, providers } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import type { Actor } from '../auth/actor.ts';
import { recordAudit } from '../audit/audit.ts';
import { requestRematch } from '../leads/changes/rematch.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';
import { getAdminProvider } from './adminProvidersQueries.ts';
import { mayMatchMore, providerChanged, recordProviderChanges } from './providerChanges.ts';

/**
 * Providers that exist only here: without a WordPress ID, no source delivers them and no crawl deactivates them. Staff
 * own all of their fields.
 */

/** Who changes a provider by hand, and from which address. */
export interface ProviderAuthor {
  actor: Actor;
  ip: string;
}

/** Where the values of such a change come from, for the audit log. */
const source = 'staff';

/** Inserts an inactive provider that exists only here, with an audit entry. Returns its id. */
export async function insertOwnProvider(
  tx: Queryable,
  author: ProviderAuthor,
  values: Omit<ProviderInsert, 'id' | 'status' | 'wordpressId'>,
): Promise<number> {
  const [row] = await tx
    .insert(providers)
    .values({ ...values, status: 'f' })
    .returning({ id: providers.id, wordpressId: providers.wordpressId });
  if (row === undefined) throw new Error('the provider was not inserted');
  await recordEvents(tx, [providerChanged(row, { isDeactivated: false })]);
  const subject = { kind: 'provider', id: row.id } as const;
  await recordAudit(tx, { ...author, action: 'provider.create', subject });
  return row.id;
}

/** Deletes one that was created by mistake, if it is inactive and has no lead. Returns whether it did. */
export async function deleteOwnProvider(tx: Queryable, id: number): Promise<boolean> {
  const ofProvider = tx.select({ id: leads.id }).from(leads).where(eq(leads.providerId, id));
  const { count } = await tx
    .delete(providers)
    .where(
      and(
        eq(providers.id, id),
        eq(providers.status, 'f'),
        isNull(providers.wordpressId),
        notExists(ofProvider),
      ),
    );
  return count > 0;
}

const refusals = {
  notOwn: 'The provider sync owns its fields and its status. Change them there.',
  zip: (zipCode: string) => `“${zipCode}” isn’t a US ZIP code. Correct it first.`,
  email: 'Its email address isn’t valid. Correct it first.',
  domain: (domain: string, name: string) =>
    `${name} is active with the domain ${domain}. Change one of them first.`,
} as const;

/** Locks it. Throws NOT_FOUND, and CONFLICT if a source owns it. */
export async function lockOwnProvider(tx: Queryable, id: number): Promise<ProviderRow> {
  const [row] = await tx.select().from(providers).where(eq(providers.id, id)).for('update');
  if (row === undefined) throw notFound('Provider');
  if (row.wordpressId !== null) throw new AppError('CONFLICT', refusals.notOwn);
  return row;
}

/** What must be right before leads go to a provider: where it is, and its address. */
function refuseUnready({ zipCode, email, location }: ProviderRow): void {
  if (location === null) throw new AppError('CONFLICT', refusals.zip(zipCode));
  if (leadFieldFaults.email(email) !== null) throw new AppError('CONFLICT', refusals.email);
}

/** Throws CONFLICT if another active provider has its domain. */
async function refuseTakenDomain(tx: Queryable, { id, domain }: ProviderRow): Promise<void> {
  if (domain === null) return;
  const isOther = and(eq(providers.status, 't'), eq(providers.domain, domain), ne(providers.id, id));
  const [other] = await tx.select({ name: providers.name }).from(providers).where(isOther);
  if (other !== undefined) throw new AppError('CONFLICT', refusals.domain(domain, other.name));
}

interface OwnAction extends ProviderAuthor {
  services: Pick<Services, 'db' | 'now'>;
}

/** Writes changed columns of a locked one, with all that a change of them causes. */
async function write(
  tx: Queryable,
  { services: { now }, actor, ip }: OwnAction,
  { before, changes }: { before: ProviderRow; changes: Partial<ProviderInsert> },
): Promise<ProviderRow> {
  const { id } = before;
  const emailMoved = changes.email !== undefined && changes.email !== before.email;
  const set = { ...changes, ...(emailMoved && { emailConfirmedAt: null }) };
  const [after] = await tx.update(providers).set(set).where(eq(providers.id, id)).returning();
  if (after === undefined) throw notFound('Provider');
  const isRouting = (['email', 'domain', 'status'] as const).some((name) => before[name] !== after[name]);
  if (isRouting) await recordProviderChanges(tx, { actor, ip, source, now: now() }, [{ id, before, after }]);
  const isDeactivated = before.status === 't' && after.status === 'f';
  await recordEvents(tx, [providerChanged(after, { isDeactivated })]);
  if (mayMatchMore(before, after)) await requestRematch(tx);
  return after;
}

/**
 * Activates or deactivates a provider that exists only here. Throws NOT_FOUND, and CONFLICT if a source owns it or it
 * isn't ready.
 */
export function setProviderActive(
  action: OwnAction,
  { id, isActive }: z.output<typeof providerActiveInput>,
): Promise<AdminProvider> {
  return action.services.db.transaction(async (tx) => {
    const before = await lockOwnProvider(tx, id);
    const status = isActive ? 't' : 'f';
    if (before.status !== status) {
      if (isActive) refuseUnready(before);
      if (isActive) await refuseTakenDomain(tx, before);
      await write(tx, action, { before, changes: { status } });
    }
    return getAdminProvider(tx, id);
  });
}

/**
 * Changes fields of a locked one that a source would own. The audit entry names the fields; a changed email, domain or
 * status has one more, with the values. Throws CONFLICT if another active provider has its domain.
 */
export async function updateOwnProvider(
  tx: Queryable,
  action: OwnAction,
  { before, changes }: { before: ProviderRow; changes: Partial<ProviderInsert> },
): Promise<void> {
  const known = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(changes).filter(
    ([column, value]) => !isDeepStrictEqual(known.get(column), value),
  );
  if (changed.length === 0) return;
  const { actor, ip } = action;
  const next: Partial<ProviderInsert> = Object.fromEntries(changed);
  if (before.status === 't') await refuseTakenDomain(tx, { ...before, domain: next.domain ?? null });
  await write(tx, action, { before, changes: next });
  const subject = { kind: 'provider', id: before.id } as const;
  const detail = { fields: changed.map(([column]) => column) };
  await recordAudit(tx, { actor, ip, action: 'provider.update', subject, detail });
}
