import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { guardedRequest, keepConnections } from '#server/security/guardedRequest.ts';
import { leadContact } from '../identity/leadContact.ts';
import type { Channel, DeliveryInput, DeliveryResult } from '../outbox/types.ts';
import { failureOf, type HttpResponse, networkFailureOf, readResponse } from '../outbox/httpResult.ts';

const who = 'HubSpot';

export interface HubspotCrm {
  /** `https://api.hubapi.com`; tests use a fake. */
  url: string;
  /** Of a private app with crm.objects.contacts.write. */
  token: string;
  allowLoopback: boolean;
  /** Between two requests of this process. */
  intervalMs?: number;
}

/**
 * Any plan allows 100 requests in ten seconds:
 * https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines.
 */
const usualIntervalMs = 110;

const upserted = z.object({ results: z.tuple([z.object({ id: z.string().min(1) })], z.unknown()) });
const updated = z.object({ id: z.string().min(1) });
const limited = z.object({ policyName: z.string() });

/** Seconds to wait after each limit. HubSpot's 429 names the limit. */
const limitSeconds: Record<string, number> = { TEN_SECONDLY_ROLLING: 10, SECONDLY: 1, DAILY: 3600 };

function parsed<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function withLimit(answer: HttpResponse): HttpResponse {
  if (answer.status !== 429 || answer.retryAfterSeconds !== null) return answer;
  const policy = parsed(limited, answer.text)?.policyName ?? '';
  return { ...answer, retryAfterSeconds: limitSeconds[policy] ?? 10 };
}

/** Contact properties that every account has. HubSpot takes an extension in the phone. */
function propertiesOf({ lead, provider }: DeliveryInput): { email: string } & Record<string, string> {
  const { email, phone, extension, typed } = leadContact(lead);
  const providerText = provider === null ? 'no provider yet' : `${provider.name} (provider ${provider.id})`;
  return {
    email,
    firstname: lead.firstName,
    lastname: lead.lastName,
    phone: extension === null ? phone : `${phone} ext. ${extension}`,
    zip: lead.zip5 ?? lead.zipCode,
    message: `Lead ${lead.id} of ${lead.createdAt.toISOString()}: ${providerText}${typed === null ? '' : `. Phone as typed: ${typed}`}`,
  };
}

/**
 * The result of an erasure without a contact id: no attempt returned one. If an attempt got no answer at all, a person
 * must check.
 */
function nothingToErase({ isUnanswered, lead }: DeliveryInput): DeliveryResult {
  if (!isUnanswered) return { outcome: 'delivered', status: null, answer: null };
  return {
    outcome: 'failed',
    permanent: true,
    status: null,
    answer: null,
    reason: `${who} never said whether it took lead ${lead.id}: look there for a contact with that number in its message, and delete it.`,
  };
}

/**
 * HubSpot's contacts, one for each email address. POST /crm/v3/objects/contacts/batch/upsert with `idProperty` email
 * creates or updates one. After its id is known, PATCH updates that contact, even if its address changed since; a
 * deleted contact is created again. An erasure deletes the contact by its id with all related data, as the address is
 * no longer known here: POST …/gdpr-delete, 204.
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/gdpr/gdpr-delete-contact
 */
export function createHubspotCrm({
  url,
  token,
  allowLoopback,
  intervalMs = usualIntervalMs,
}: HubspotCrm): Channel['deliver'] {
  const connections = keepConnections();
  let freeAt = 0;

  /** Spaces requests, so that a backlog stays below the limit. */
  async function waitForTurn(signal: AbortSignal): Promise<void> {
    const at = Math.max(performance.now(), freeAt);
    freeAt = at + intervalMs;
    await delay(Math.max(0, at - performance.now()), undefined, { signal });
  }

  async function send(
    path: string,
    body: object,
    input: DeliveryInput,
    method?: 'PATCH',
  ): Promise<HttpResponse> {
    await waitForTurn(input.signal);
    const response = await guardedRequest(new URL(`/crm/v3/objects/contacts${path}`, url), {
      signal: input.signal,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
      allowLoopback,
      connections,
      ...(method === undefined ? {} : { method }),
    });
    return withLimit(await readResponse(response, input.now));
  }

  async function update(contactId: string, input: DeliveryInput): Promise<DeliveryResult | null> {
    const answer = await send(
      `/${encodeURIComponent(contactId)}`,
      { properties: propertiesOf(input) },
      input,
      'PATCH',
    );
    if (answer.status === 404) return null;
    return resultOf(answer, parsed(updated, answer.text)?.id);
  }

  async function upsert(input: DeliveryInput): Promise<DeliveryResult> {
    const { deliveryId } = input;
    const properties = propertiesOf(input);
    const contact = {
      id: properties.email,
      idProperty: 'email',
      objectWriteTraceId: deliveryId,
      properties,
    };
    const answer = await send('/batch/upsert', { inputs: [contact] }, input);
    return resultOf(answer, parsed(upserted, answer.text)?.results[0].id);
  }

  async function erase(contactId: string, input: DeliveryInput): Promise<DeliveryResult> {
    const answer = await send('/gdpr-delete', { objectId: contactId }, input);
    const { status, text } = answer;
    // Already deleted: by an erasure of another lead of the same person, or in HubSpot.
    const isGone = status === 404 || (status >= 200 && status <= 299);
    return isGone ? { outcome: 'delivered', status: `HTTP ${status}`, answer: text } : failureOf(who, answer);
  }

  return async (input): Promise<DeliveryResult> => {
    try {
      if (input.delivery.template === 'erased')
        return input.remoteId === null ? nothingToErase(input) : await erase(input.remoteId, input);
      const known = input.remoteId === null ? null : await update(input.remoteId, input);
      return known ?? (await upsert(input));
    } catch (error) {
      return networkFailureOf(who, error, input.signal);
    }
  };
}

/** A 2xx without a contact (207: it lists errors) is a permanent failure. */
function resultOf(answer: HttpResponse, remoteId: string | undefined): DeliveryResult {
  const { status, text } = answer;
  if (status < 200 || status > 299) return failureOf(who, answer);
  if (remoteId !== undefined)
    return { outcome: 'delivered', status: `HTTP ${status}`, answer: text, remoteId };
  const reason = `${who} returned HTTP ${status}, but stored no contact.`;
  return { outcome: 'failed', permanent: true, status: `HTTP ${status}`, answer: text, reason };
}
