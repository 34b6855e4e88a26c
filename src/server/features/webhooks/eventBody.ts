import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { EventPayload } from '#shared/admin/webhooks.ts';
import { buildRecord } from '#shared/formats/records.ts';
import { answer } from '#shared/leads/answers.ts';
import { leadFields } from '#shared/leads/leadFieldTable.ts';
import type { Queryable } from '#server/db/connect.ts';
import {
  consentRecords,
  type LeadRow,
  leads,
  providers,
  type WebhookEventRow,
} from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { publicColumns } from '#server/db/providerFields.ts';
import { phoneWithout } from '../identity/leadContact.ts';
import { readAnswers, readLeadFields, toLeadColumns } from '../identity/leadFieldValues.ts';
import { redact } from '../outbox/redact.ts';
import { type EventContact } from './eventSchemas.ts';
import { findLeftOut, isLeadSuppressed, isMailboxSuppressed } from '../suppression/suppressions.ts';

/** Standard Webhooks: bodies stay below 20 kB. */
const bodyBytesMax = 20_000;

/** The `webhook-id` of an event, the same for every attempt and every endpoint. */
export function getWebhookId(eventId: string): string {
  return `msg_${eventId}`;
}

/** An event's JSON, with current details, so that nothing erased or withdrawn is sent; without details if too large. */
export async function eventBody(
  services: EventBodyServices,
  event: Pick<WebhookEventRow, 'type' | 'at' | 'leadId' | 'providerId' | 'data'>,
  payload: EventPayload,
): Promise<string> {
  const uuid = event.leadId === null ? null : await findLeadUuid(services.db, event.leadId);
  const key = uuid === null ? {} : { uuid };
  const buildBody = (details: object): string =>
    JSON.stringify({
      type: event.type,
      timestamp: event.at.toISOString(),
      data: { ...event.data, ...key, ...details },
    });
  if (payload === 'thin') return buildBody({});
  const body = buildBody(await buildDetails(services, event));
  return Buffer.byteLength(body) < bodyBytesMax ? body : buildBody({});
}

/** The UUID that outsiders know: the evidence's, which an erasure keeps. Null: neither evidence nor lead is left. */
async function findLeadUuid(db: Queryable, leadId: number): Promise<string | null> {
  const [row] = await db
    .select({ publicId: consentRecords.leadPublicId })
    .from(consentRecords)
    .where(and(eq(consentRecords.leadId, leadId), isNotNull(consentRecords.leadPublicId)))
    .orderBy(desc(consentRecords.id))
    .limit(1);
  if (row !== undefined) return row.publicId;
  const [lead] = await db.select({ publicId: leads.publicId }).from(leads).where(eq(leads.id, leadId));
  return lead?.publicId ?? null;
}

type EventBodyServices = Pick<Services, 'db' | 'dataKeys'>;

async function buildDetails(
  services: EventBodyServices,
  { leadId, providerId }: Pick<WebhookEventRow, 'leadId' | 'providerId'>,
): Promise<object> {
  if (leadId !== null) return toContact(services, leadId);
  if (providerId === null) return {};
  const [provider] = await services.db
    .select(publicColumns)
    .from(providers)
    .where(eq(providers.id, providerId));
  return provider ?? {};
}

/** Empty if the lead is deleted or quarantined, or the person may not be contacted, or not before staff decide. */
async function toContact(services: EventBodyServices, leadId: number): Promise<object> {
  const { key } = await services.dataKeys.current('identity');
  const [row] = await services.db
    .select({ lead: leads, isEnded: sql<boolean>`${isLeadSuppressed(key)} or ${isMailboxSuppressed(key)}` })
    .from(leads)
    .where(eq(leads.id, leadId));
  if (row === undefined || row.isEnded) return {};
  const { lead } = row;
  if (lead.deletedAt !== null || lead.quarantinedAt !== null) return {};
  const leftOut = await findLeftOut(services.db, key, [lead]);
  return leadContact(lead, leftOut.get(leadId));
}

/** What integrators get of a lead. `leftOut`: further numbers, which they don't get. */
export function leadContact(lead: LeadRow, leftOut: readonly string[] = []): EventContact {
  const phone = phoneWithout(lead.phone, leftOut);
  return {
    ...readLeadFields({ ...lead, phone }, 'events'),
    created_at: lead.createdAt.toISOString(),
    ...readAnswers(lead, 'events'),
  };
}

/** The contact details in a body; a thin body has none. */
const sentBody = z.object({
  data: z.object({
    ...buildRecord(leadFields, () => z.string().catch('')),
    answers: z.array(answer).catch([]),
  }),
});

/** A longer text would be truncated at its last white space. */
const readLength = 4_096;

/** The first kilobyte of a response, without the sent contact details and anything like them. Null if empty. */
export function storedResponse(response: string, sent: string): string | null {
  const { answers, ...fields } = sentBody.parse(JSON.parse(sent)).data;
  return redact(response.slice(0, readLength), { ...toLeadColumns(fields), answers }) || null;
}
