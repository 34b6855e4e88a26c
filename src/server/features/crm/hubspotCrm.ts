import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { guardedRequest, keepConnections } from '#server/security/guardedRequest.ts';
import type { Channel, DeliveryInput, DeliveryResult } from '../outbox/types.ts';
import { failureOf, type HttpResponse, networkFailureOf, readResponse } from '../outbox/httpResult.ts';

const who = 'HubSpot';

export interface HubspotCrm {
  /** `https://api.hubapi.com`; tests have a stand-in. */
  url: string;
  /** Of a private app with crm.objects.contacts.write. */
  token: string;
  allowLoopback: boolean;
  /** Between two requests of this process. */
  intervalMs?: number;
}

/** Any plan allows 100 requests in ten seconds: https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines. */
const usualIntervalMs = 110;

const upserted = z.object({ results: z.tuple([z.object({ id: z.string().min(1) })], z.unknown()) });
const updated = z.object({ id: z.string().min(1) });
const limited = z.object({ policyName: z.string() });

/** HubSpot's 429 says which limit it was; the one of ten seconds is over after ten seconds. */
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

/** Contact properties every account has. */
function propertiesOf({ lead, provider }: DeliveryInput): Record<string, string> {
  const providerText = provider === null ? 'no provider yet' : `${provider.name} (provider ${provider.id})`;
  return {
    email: lead.email,
    firstname: lead.firstName,
    lastname: lead.lastName,
    phone: lead.phoneE164,
    zip: lead.zipCode,
    message: `Lead ${lead.id} of ${lead.createdAt.toISOString()}: ${providerText}`,
  };
}

/** What an erasure finds nothing of: no try was answered with a contact's number. Where one wasn't answered at all, a person must look. */
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
 * HubSpot's contacts, one each e-mail address: made or updated by POST /crm/v3/objects/contacts/batch/upsert with `idProperty` email. Once the
 * contact's own number is known that one is updated (PATCH), whatever its address is by then; where it is gone, it is made again. An erasure deletes
 * it by that number for good, with everything that hangs on it: POST …/gdpr-delete, 204, as the address is no longer known here.
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

  /** Requests leave one after the other, so that a backlog stays below the limit. */
  async function turn(signal: AbortSignal): Promise<void> {
    const at = Math.max(performance.now(), freeAt);
    freeAt = at + intervalMs;
    await delay(Math.max(0, at - performance.now()), undefined, { signal });
  }

  async function ask(
    path: string,
    body: object,
    input: DeliveryInput,
    method?: 'PATCH',
  ): Promise<HttpResponse> {
    await turn(input.signal);
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
    const answer = await ask(
      `/${encodeURIComponent(contactId)}`,
      { properties: propertiesOf(input) },
      input,
      'PATCH',
    );
    if (answer.status === 404) return null;
    return resultOf(answer, parsed(updated, answer.text)?.id);
  }

  async function upsert(input: DeliveryInput): Promise<DeliveryResult> {
    const { lead, deliveryId } = input;
    const contact = {
      id: lead.email,
      idProperty: 'email',
      objectWriteTraceId: deliveryId,
      properties: propertiesOf(input),
    };
    const answer = await ask('/batch/upsert', { inputs: [contact] }, input);
    return resultOf(answer, parsed(upserted, answer.text)?.results[0].id);
  }

  async function erase(contactId: string, input: DeliveryInput): Promise<DeliveryResult> {
    const answer = await ask('/gdpr-delete', { objectId: contactId }, input);
    const { status, text } = answer;
    // Gone already: another lead of the same person had the same contact, or somebody deleted it there.
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

/** A 2xx without a contact in it (207: its errors are listed) is a failure that would come again. */
function resultOf(answer: HttpResponse, remoteId: string | undefined): DeliveryResult {
  const { status, text } = answer;
  if (status < 200 || status > 299) return failureOf(who, answer);
  if (remoteId !== undefined)
    return { outcome: 'delivered', status: `HTTP ${status}`, answer: text, remoteId };
  const reason = `${who} answered ${status} but took no contact.`;
  return { outcome: 'failed', permanent: true, status: `HTTP ${status}`, answer: text, reason };
}
