import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { asc, eq, sql } from 'drizzle-orm';
import type { AuditAction } from '#shared/admin/audit.ts';
import {
  bothSecretsHours,
  type EndpointCreateInput,
  endpointHost,
  endpointsMax,
  type EndpointUpdateInput,
  type WebhookEndpoint,
  type AttemptResult,
} from '#shared/admin/webhooks.ts';
import { hourMs } from '#shared/formats/time.ts';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';
import type { Config } from '#server/config/config.ts';
import type { Queryable } from '#server/db/connect.ts';
import { webhookEndpoints, type WebhookEndpointRow } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import { isPublicAddress } from '#server/security/guardedRequest.ts';
import type { Actor } from '../auth/actor.ts';
import { recordAudit } from '../audit/audit.ts';
import { recordAccessChange } from '../ledger/accessChanges.ts';
import type { Services } from '#server/services.ts';
import { makeSecret, sealSecret } from './endpointSecret.ts';
import { deleteEndpoint, disableEndpoint, enableEndpoint, endpointState } from './endpointStates.ts';
import { attemptDelivery, startAttempts } from '../outbox/attemptDelivery.ts';
import { enqueueLeased } from '../outbox/lease.ts';
import type { Subject } from '../outbox/subject.ts';
import { recordTestEvent } from './recordEvents.ts';

export type EventServices = Pick<Services, 'config' | 'channels' | 'dataKeys' | 'db' | 'log' | 'now'>;

/** The staff member who manages endpoints, and the address. */
export interface WebhookAction {
  services: EventServices;
  actor: Actor;
  ip: string | null;
}

/** An endpoint as owners see it, without its secrets. */
function presentEndpoint(row: WebhookEndpointRow, now: Date): WebhookEndpoint {
  const { previousUntil } = row;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    types: row.types,
    payload: row.payload,
    state: endpointState(row),
    disabled_reason: row.disabledReason,
    disabled_at: row.disabledAt?.toISOString() ?? null,
    failures: row.failures,
    failing_since: row.firstFailedAt?.toISOString() ?? null,
    both_secrets_until: previousUntil !== null && previousUntil > now ? previousUntil.toISOString() : null,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
  };
}

/** All endpoints, oldest first. */
export async function listEndpoints({ db, now }: EventServices): Promise<WebhookEndpoint[]> {
  const rows = await db
    .select()
    .from(webhookEndpoints)
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id));
  return rows.map((row) => presentEndpoint(row, now()));
}

/** Throws NOT_FOUND 'Endpoint not found'. */
export async function readEndpoint({ db, now }: EventServices, id: string): Promise<WebhookEndpoint> {
  const [row] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  if (row === undefined) throw notFound('Endpoint');
  return presentEndpoint(row, now());
}

/** Locks the row. Throws NOT_FOUND 'Endpoint not found'. */
export async function getEndpoint(db: Queryable, id: string): Promise<WebhookEndpointRow> {
  const [row] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id)).for('update');
  if (row === undefined) throw notFound('Endpoint');
  return row;
}

export function auditEndpoint(
  tx: Queryable,
  { actor, ip }: WebhookAction,
  { id, ...entry }: { action: AuditAction; id: string; detail?: object },
): Promise<void> {
  return recordAudit(tx, { actor, ip, subject: { kind: 'endpoint', id }, ...entry });
}

/** An audit entry contains only the host: the rest of the URL may be secret. */
function auditDetail({ url, types, payload }: Omit<EndpointCreateInput, 'description'>): object {
  return { host: endpointHost({ url }), types: types.length === 0 ? 'all' : types, payload };
}

/**
 * Refuses a URL that no webhook is sent to: in production, plain http and private addresses. A name's address is
 * checked at each attempt (security/guardedRequest.ts). Throws UNPROCESSABLE_CONTENT at `url`.
 */
function refuseUrl({ production }: Pick<Config, 'production'>, url: string): void {
  if (!production) return;
  const { protocol, hostname } = new URL(url);
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:') throw refusal('Enter a URL that starts with https://');
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw refusal('This address isn’t public');
}

function refusal(message: string): AppError {
  return new AppError('UNPROCESSABLE_CONTENT', message, { fields: { url: message } });
}

interface WithSecret {
  endpoint: WebhookEndpoint;
  secret: string;
}

/** Adds an endpoint, switched on. Throws UNPROCESSABLE_CONTENT for a URL that isn't allowed, or too many endpoints. */
export function createEndpoint(staffAction: WebhookAction, input: EndpointCreateInput): Promise<WithSecret> {
  const { db, config, now } = staffAction.services;
  refuseUrl(config, input.url);
  const [id, secret] = [crypto.randomUUID(), makeSecret()];
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.addEndpoint})`);
    if ((await tx.$count(webhookEndpoints)) >= endpointsMax)
      throw new AppError('UNPROCESSABLE_CONTENT', `There can be at most ${endpointsMax} endpoints.`);
    const [row] = await tx
      .insert(webhookEndpoints)
      .values({
        ...input,
        id,
        secret: sealSecret(config.secretKeys, id, secret),
        createdBy: staffAction.actor.name,
        createdAt: now(),
      })
      .returning();
    if (row === undefined) throw new Error('the endpoint was not stored');
    await auditEndpoint(tx, staffAction, { action: 'endpoint.create', id, detail: auditDetail(input) });
    return { endpoint: presentEndpoint(row, now()), secret };
  });
}

/** Queued deliveries go to the new URL. Throws NOT_FOUND, and UNPROCESSABLE_CONTENT for a URL that isn't allowed. */
export function updateEndpoint(
  staffAction: WebhookAction,
  { id, ...input }: EndpointUpdateInput,
): Promise<WebhookEndpoint> {
  const { config } = staffAction.services;
  if (input.url !== undefined) refuseUrl(config, input.url);
  return changeEndpoint(staffAction, id, {
    action: 'endpoint.update',
    set: (row) => ({
      url: input.url ?? row.url,
      description: input.description ?? row.description,
      types: input.types ?? row.types,
      payload: input.payload ?? row.payload,
    }),
    detailOf: auditDetail,
  });
}

/**
 * Creates a new secret. For a day, requests are also signed with the previous one, so that receivers can be updated one
 * by one. Older secrets are not used. Throws NOT_FOUND.
 */
export async function rotateSecret(staffAction: WebhookAction, id: string): Promise<WithSecret> {
  const { config, now } = staffAction.services;
  const secret = makeSecret();
  const endpoint = await changeEndpoint(staffAction, id, {
    action: 'endpoint.rotate',
    set: (row) => ({
      secret: sealSecret(config.secretKeys, id, secret),
      previousSecret: row.secret,
      previousUntil: new Date(now().getTime() + bothSecretsHours * hourMs),
    }),
  });
  return { endpoint, secret };
}

interface EndpointChange {
  action: AuditAction;
  set: (row: WebhookEndpointRow) => Partial<WebhookEndpointRow>;
  /** The audit entry's detail, from the changed row. */
  detailOf?: (row: WebhookEndpointRow) => object;
}

/** What decides who gets what: a restore must not undo it. */
const receivers = ['url', 'types', 'payload', 'secret'] as const;

function changeEndpoint(
  staffAction: WebhookAction,
  id: string,
  { action, set, detailOf }: EndpointChange,
): Promise<WebhookEndpoint> {
  const { db, now } = staffAction.services;
  return db.transaction(async (tx) => {
    const row = await getEndpoint(tx, id);
    const changed = { ...row, ...set(row) };
    await tx.update(webhookEndpoints).set(changed).where(eq(webhookEndpoints.id, id));
    if (receivers.some((field) => !isDeepStrictEqual(row[field], changed[field])))
      await recordAccessChange(tx, { kind: 'endpoint-changed', endpointId: id });
    const detail = detailOf?.(changed);
    await auditEndpoint(tx, staffAction, { action, id, ...(detail === undefined ? {} : { detail }) });
    return presentEndpoint(changed, now());
  });
}

/**
 * Switches an endpoint on, which resets its failures, or off, which cancels its queued deliveries. `replaySince` sends
 * the events from while it was off. Does nothing if it is already in that state. Throws NOT_FOUND.
 */
export function switchEndpoint(
  staffAction: WebhookAction,
  id: string,
  on: boolean,
): Promise<WebhookEndpoint> {
  const { db, now } = staffAction.services;
  return db.transaction(async (tx) => {
    const row = await getEndpoint(tx, id);
    if ((row.disabledAt === null) === on) return presentEndpoint(row, now());
    if (on) await enableEndpoint(tx, id);
    else await disableEndpoint(tx, { endpointId: id, reason: 'staff', now: now() });
    await auditEndpoint(tx, staffAction, { action: on ? 'endpoint.enable' : 'endpoint.disable', id });
    return presentEndpoint(await getEndpoint(tx, id), now());
  });
}

/** Deletes an endpoint with its deliveries. Throws NOT_FOUND. */
export function removeEndpoint(staffAction: WebhookAction, id: string): Promise<void> {
  return staffAction.services.db.transaction(async (tx) => {
    const detail = { host: endpointHost(await getEndpoint(tx, id)) };
    await deleteEndpoint(tx, id);
    await auditEndpoint(tx, staffAction, { action: 'endpoint.remove', id, detail });
  });
}

/** Sends `webhook.test` to one endpoint now, on or off, and returns the result. Throws NOT_FOUND. */
export async function testEndpoint(staffAction: WebhookAction, endpointId: string): Promise<AttemptResult> {
  const { services } = staffAction;
  const now = services.now();
  const lease = await services.db.transaction(async (tx) => {
    await getEndpoint(tx, endpointId);
    const eventId = await recordTestEvent(tx, { endpointId, now });
    const leased = await enqueueLeased(tx, { eventId, endpointId, now });
    await auditEndpoint(tx, staffAction, { action: 'endpoint.test', id: endpointId });
    return leased;
  });
  const subjects: Subject[] = [];
  await startAttempts(services, [lease], (_, subject) => subjects.push(subject));
  const [subject] = subjects;
  if (subject === undefined) throw new Error('the test is gone');
  const stopping = new AbortController().signal;
  const { reason, result, durationMs } = await attemptDelivery(services, { lease, subject }, { stopping });
  return {
    delivered: result?.outcome === 'delivered',
    status: result !== null && 'status' in result ? result.status : null,
    duration_ms: Math.round(durationMs),
    reason,
  };
}
