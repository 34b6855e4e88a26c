import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, sql, isNotNull, isNull } from 'drizzle-orm';
import type { z } from 'zod';
import type {
  AdminProvider,
  adminProviderListInput,
  AdminProviderList,
  AdminProviderUpdate,
  ProviderGroup,
  confirmProviderInput,
  confirmProviderOutput,
} from '#shared/admin/adminProviders.ts';
import { editedFields } from '#shared/providers/providerFieldLists.ts';
import { getLabel } from '#shared/providers/providerView.ts';
import { selectFields } from '#server/db/providerFields.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { providers, type ProviderRow } from '#server/db/schema/index.ts';
import { notFound, AppError } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import type { DomainChecks } from '../domains/domainChecks.ts';
import { searchConditions } from '../leads/list/searchConditions.ts';
import type { Actor } from '../auth/actor.ts';
import { recordAudit } from '../audit/audit.ts';
import { recordProviderAccess } from '../ledger/accessChanges.ts';
import { requestRematch } from '../leads/changes/rematch.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';
import { mayMatchMore, providerChanged } from './providerChanges.ts';
import { selectForStaff, toAdminProvider } from './providerColumns.ts';
import { listUnreachable } from '../unreachable/listUnreachable.ts';
import { sealKey } from './sealedKey.ts';
import { clearAlert } from '../alerts/alerts.ts';

export const groupStatus: Record<ProviderGroup, 't' | 'f'> = { active: 't', inactive: 'f' };

const searchedText = sql`(' ' || lower(concat_ws(' ', ${providers.name}, ${providers.practiceName}, ${providers.email}, ${providers.address},
  ${providers.domain}, regexp_replace(${providers.phone}, '[^0-9]', '', 'g'), ${providers.zipCode}, ${providers.id})) || ' ')`;

/** A group's providers by name, all or those that match a search, `limit` at most, and the size of each group. */
export async function listAdminProviders(
  { db, config }: { db: Database; config: Pick<Config, 'matchRadiusMiles' | 'wordpressUrl'> },
  { status, search, limit }: z.output<typeof adminProviderListInput>,
): Promise<AdminProviderList> {
  const found = selectForStaff(db)
    .where(
      and(eq(providers.status, groupStatus[status]), ...searchConditions(search, searchedText, providers.id)),
    )
    .orderBy(asc(sql`lower(${providers.name}) collate "C"`), asc(providers.id));
  const [rows, counted, unreachable] = await Promise.all([
    limit === undefined ? found : found.limit(limit),
    db
      .select({ status: providers.status, count: sql<number>`count(*)::int` })
      .from(providers)
      .groupBy(providers.status),
    listUnreachable(db, eq(providers.status, groupStatus[status])),
  ]);
  const sumGroup = (group: ProviderGroup): number =>
    counted.find((row) => row.status === groupStatus[group])?.count ?? 0;
  return {
    providers: rows.map((row) => toAdminProvider(row, unreachable)),
    counts: { active: sumGroup('active'), inactive: sumGroup('inactive') },
    defaultRadiusMiles: config.matchRadiusMiles,
    wordpressUrl: config.wordpressUrl,
  };
}

/** The data for checking a provider's domain, active or not. Throws NOT_FOUND 'Provider not found'. */
export async function getCheckedProvider(
  db: Queryable,
  id: number,
): Promise<Parameters<DomainChecks['check']>[0]> {
  const { name, practiceName, domain, status } = providers;
  const [row] = await db
    .select({ name, practiceName, domain, status })
    .from(providers)
    .where(eq(providers.id, id));
  if (row === undefined) throw notFound('Provider');
  return { id, label: getLabel(row), domain: row.domain, isActive: row.status === 't' };
}

/** A provider, active or not, with its fields for staff. Throws NOT_FOUND 'Provider not found'. */
export async function getAdminProvider(db: Queryable, id: number): Promise<AdminProvider> {
  const [row] = await selectForStaff(db).where(eq(providers.id, id));
  if (row === undefined) throw notFound('Provider');
  return toAdminProvider(row, await listUnreachable(db, eq(providers.id, id)));
}

const ownedColumns = {
  id: providers.id,
  wordpressId: providers.wordpressId,
  status: providers.status,
  location: sql<string | null>`${providers.location}::text`,
  ...selectFields(editedFields),
} as const;

interface ProviderAction {
  services: Pick<Services, 'db' | 'config'>;
  actor: Actor;
  ip: string | null;
}

/**
 * Sets the fields that staff may edit and `mpxapi`, which is sealed and never returned. The audit log
 * contains the new values; of the key, only whether it was set or cleared. Throws NOT_FOUND 'Provider not found'.
 */
export function updateProvider(
  { services: { db, config }, actor, ip }: ProviderAction,
  { id, mpxapi, ...owned }: AdminProviderUpdate,
): Promise<AdminProvider> {
  const changes = Object.fromEntries(Object.entries(owned).filter(([, value]) => value !== undefined));
  const key =
    mpxapi === undefined ? {} : { mpxapi: mpxapi === null ? null : sealKey(config.secretKeys, id, mpxapi) };
  const logged = mpxapi === undefined ? changes : { ...changes, mpxapi: mpxapi === null ? 'emptied' : 'set' };
  const setsHours = owned.hours !== undefined || owned.timeZone !== undefined;
  return db.transaction(async (tx) => {
    if (Object.keys(logged).length > 0) {
      const [before] = await tx
        .select(ownedColumns)
        .from(providers)
        .where(eq(providers.id, id))
        .for('update');
      const [after] = await tx
        .update(providers)
        .set({ ...changes, ...key, ...(setsHours && { hoursEditedAt: sql`now()` }) })
        .where(eq(providers.id, id))
        .returning(ownedColumns);
      if (before === undefined || after === undefined) throw notFound('Provider');
      if (editedFields.some((field) => !isDeepStrictEqual(before[field], after[field])))
        await recordEvents(tx, [providerChanged(after, { isDeactivated: false })]);
      if (mayMatchMore(before, after)) await requestRematch(tx);
      if (mpxapi !== undefined) await recordProviderAccess(tx, [id]);
      await recordAudit(tx, {
        actor,
        ip,
        action: 'provider.update',
        subject: { kind: 'provider', id },
        detail: logged,
      });
    }
    return getAdminProvider(tx, id);
  });
}

interface ConfirmAction {
  services: Pick<Services, 'db'>;
  actor: Actor;
  ip: string | null;
}

const alreadySynced = 'The sync updates that provider already, under another WordPress ID.';

const differsNow =
  'The row of the sync has another email address or ZIP code by now. Correct it in its source, then confirm again.';

type Compared = Pick<ProviderRow, 'email' | 'zipCode'>;

/** As the sync compared them. */
function looksSame(own: Compared, waiting: Compared): boolean {
  return own.zipCode === waiting.zipCode && own.email.toLowerCase() === waiting.email.toLowerCase();
}

/**
 * Ends that a provider of the sync waits. If it is the one that exists only here, that one gets its WordPress ID, so
 * that the next sync updates it, and the waiting row, which was never active, is removed. Otherwise the next sync that
 * has it activates it. Throws NOT_FOUND unless it waits, and
 * CONFLICT if another row has become that one, or the waiting one has another email address or ZIP code by now.
 */
export function confirmProvider(
  { services: { db }, actor, ip }: ConfirmAction,
  { id, isSame }: z.output<typeof confirmProviderInput>,
): Promise<z.output<typeof confirmProviderOutput>> {
  return db.transaction(async (tx) => {
    const isWaiting = and(eq(providers.id, id), isNotNull(providers.waitsForId));
    const [waiting] = await tx.select().from(providers).where(isWaiting).for('update');
    if (waiting === undefined || waiting.waitsForId === null) throw notFound('Waiting provider');
    if (isSame) {
      const [own] = await tx
        .select()
        .from(providers)
        .where(eq(providers.id, waiting.waitsForId))
        .for('update');
      // A later push may have changed the row, and confirming it would send the provider's leads elsewhere.
      if (own === undefined || !looksSame(own, waiting)) throw new AppError('CONFLICT', differsNow);
      await tx.delete(providers).where(eq(providers.id, id));
      const { wordpressId } = waiting;
      const isFree = and(eq(providers.id, waiting.waitsForId), isNull(providers.wordpressId));
      const [synced] = await tx.update(providers).set({ wordpressId }).where(isFree).returning();
      if (synced === undefined) throw new AppError('CONFLICT', alreadySynced);
      await recordEvents(tx, [providerChanged(synced, { isDeactivated: false })]);
    } else await tx.update(providers).set({ waitsForId: null }).where(eq(providers.id, id));
    await clearAlert(tx, { kind: 'provider-unconfirmed', subject: String(id) });
    const subject = { kind: 'provider', id: waiting.waitsForId } as const;
    const detail = { isSame, wordpressId: waiting.wordpressId };
    await recordAudit(tx, { actor, ip, action: 'provider.confirm', subject, detail });
    return { id: isSame ? waiting.waitsForId : id };
  });
}
