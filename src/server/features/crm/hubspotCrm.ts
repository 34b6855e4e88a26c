import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { guardedRequest, keepConnections } from '#server/security/guardedRequest.ts';
import { parseJson } from '#server/security/readBody.ts';
import { leadContact } from '../identity/leadContact.ts';
import { listOptionalTexts } from '../identity/leadFieldValues.ts';
import type { Channel, DeliveryInput, DeliveryResult } from '../outbox/types.ts';
import {
  toFailure,
  type HttpReceiver,
  type HttpResponse,
  isSuccess,
  toNetworkFailure,
  readLeniently,
} from '../outbox/httpResult.ts';

const who = 'HubSpot';
const receiver: HttpReceiver = { who, owner: 'installation' };

interface HubspotCrm {
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

function withLimit(answer: HttpResponse): HttpResponse {
  if (answer.status !== 429 || answer.retryAfterSeconds !== null) return answer;
  const policy = parseJson(limited, answer.text)?.policyName ?? '';
  return { ...answer, retryAfterSeconds: limitSeconds[policy] ?? 10 };
}

/** Longer than the attempt that is in progress takes. */
const afterOther: DeliveryResult = {
  outcome: 'postponed',
  reason: 'Another lead with the same email address is delivered first.',
  retryAfterSeconds: 30,
};

/** Which lead the contact was last told of. Of two leads with one contact, whichever was delivered last. */
function buildMessage({ lead, leftOut, provider }: DeliveryInput): { message: string } {
  const { typed } = leadContact(lead, leftOut);
  const providerText = provider === null ? 'no provider yet' : `${provider.name} (provider ${provider.id})`;
  const facts = [
    ...(typed === null ? [] : [{ label: 'Phone as typed', text: typed }]),
    ...listOptionalTexts(lead, 'crm'),
  ];
  const said = facts.map(({ label, text }) => `. ${label}: ${text}`).join('');
  return { message: `Lead ${lead.id} of ${lead.createdAt.toISOString()}: ${providerText}${said}` };
}

/**
 * Contact properties that every account has. Without the email address: a contact may have got another one in HubSpot,
 * which an update must not undo. HubSpot takes an extension in the phone.
 */
function listProperties(input: DeliveryInput): Record<string, string> {
  const { lead } = input;
  const { phone, extension } = leadContact(lead);
  return {
    firstname: lead.firstName,
    lastname: lead.lastName,
    phone: extension === null ? phone : `${phone} ext. ${extension}`,
    zip: lead.zip5 ?? lead.zipCode,
    ...buildMessage(input),
  };
}

/** The contact that has the address as a further one: HubSpot names it in a conflict. */
function existingId({ status, text }: HttpResponse): string | null {
  return status === 409 ? (/Existing ID:\s*(\d+)/i.exec(text)?.[1] ?? null) : null;
}

/** An erasure without a contact id. If an attempt got no answer, or an unreadable one, a person must check. */
function nothingToErase({ isKnown, isUnanswered, lead }: DeliveryInput): DeliveryResult {
  if (!isUnanswered && !isKnown) return { outcome: 'delivered', status: null, answer: null };
  return {
    outcome: 'failed',
    refusal: 'recipient',
    status: null,
    answer: null,
    reason: `${who} never said whether it took lead ${lead.id}: look there for a contact with that number in its message, and delete it.`,
  };
}

/**
 * HubSpot's contacts, one for each email address. POST /crm/v3/objects/contacts/batch/upsert with `idProperty` email
 * creates or updates one. After its id is known, PATCH updates that contact, even if its address changed since; a
 * deleted contact is created again. A conflict names the contact that has the address as a further one: that one is
 * updated. An older lead changes only the message of a contact that a newer lead has too, and two leads of one address
 * are delivered one after the other. An answer that was cut counts: the contact is stored, and the next delivery of the
 * lead finds it by the address. An erasure deletes the contact by its id with all related data, as the address is no
 * longer known here: POST …/gdpr-delete, 204.
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
    return withLimit(await readLeniently(response, input.now));
  }

  async function update(contactId: string, input: DeliveryInput): Promise<DeliveryResult | null> {
    const properties = (await input.contacts.hasNewer(contactId))
      ? buildMessage(input)
      : listProperties(input);
    const answer = await send(`/${encodeURIComponent(contactId)}`, { properties }, input, 'PATCH');
    if (answer.status === 404) return null;
    return toResult(answer, parseJson(updated, answer.text)?.id ?? contactId);
  }

  async function upsert(input: DeliveryInput): Promise<DeliveryResult> {
    const { lead, delivery } = input;
    const { email } = leadContact(lead);
    const contact = {
      id: email,
      idProperty: 'email',
      objectWriteTraceId: delivery.id,
      properties: { email, ...listProperties(input) },
    };
    const answer = await send('/batch/upsert', { inputs: [contact] }, input);
    const existing = existingId(answer);
    const result = existing === null ? null : await update(existing, input);
    return result ?? toResult(answer, parseJson(upserted, answer.text)?.results[0].id);
  }

  /** By its contact, if a delivery of this lead or of a newer one with the same address named it. */
  async function store(input: DeliveryInput): Promise<DeliveryResult> {
    if (await input.contacts.isWaiting()) return afterOther;
    const contactId = input.remoteId ?? (await input.contacts.findNewer());
    const result = contactId === null ? null : await update(contactId, input);
    return result ?? (await upsert(input));
  }

  async function erase(contactId: string, input: DeliveryInput): Promise<DeliveryResult> {
    const answer = await send('/gdpr-delete', { objectId: contactId }, input);
    const { status, text } = answer;
    // Already deleted: by an erasure of another lead of the same person, or in HubSpot.
    const isGone = status === 404 || isSuccess(answer);
    return isGone
      ? { outcome: 'delivered', status: `HTTP ${status}`, answer: text }
      : toFailure(receiver, answer);
  }

  return async (input): Promise<DeliveryResult> => {
    try {
      if (input.delivery.template === 'erased')
        return input.remoteId === null ? nothingToErase(input) : await erase(input.remoteId, input);
      return await store(input);
    } catch (error) {
      return toNetworkFailure(receiver, error, input);
    }
  };
}

/** A field of HubSpot's errors, which may be JSON within a JSON text. */
function getField(text: string, name: string, value: string): string | null {
  const pattern = new RegExp(String.raw`\\*"${name}\\*"\s*:\s*\[?\s*\\*"(${value})\\*"`);
  return pattern.exec(text)?.[1] ?? null;
}

/** Advice about a property that HubSpot refused (400), or null. Names and codes only: values are the lead's. */
function propertyAdvice(text: string): string | null {
  const code = getField(text, 'error', '[A-Z][A-Z_]{3,60}') ?? getField(text, 'code', '[A-Z][A-Z_]{3,60}');
  if (code === null) return null;
  const property = getField(text, 'propertyName', '\\w{1,60}') ?? getField(text, 'name', '\\w{1,60}');
  if (code === 'INVALID_EMAIL') return `Correct the lead’s email address (${code}), then retry.`;
  if (property === null) return `Read its answer (${code}), correct the lead, then retry.`;
  return code === 'PROPERTY_DOESNT_EXIST'
    ? `Create the contact property “${property}” in HubSpot (${code}), then retry.`
    : `It refused the contact property “${property}” (${code}). Correct the lead, or the property in HubSpot, then retry.`;
}

function isJson(text: string): boolean {
  return parseJson(z.unknown(), text) !== null;
}

/** A 2xx with errors (207) concerns the lead. One that can't be read is a success without id: HubSpot stores first. */
function toResult(answer: HttpResponse, remoteId: string | undefined): DeliveryResult {
  const { status, text } = answer;
  const said = { status: `HTTP ${status}`, answer: text };
  if (!isSuccess(answer)) {
    const failure = toFailure(receiver, answer);
    const advice = status === 400 ? propertyAdvice(text) : null;
    return advice === null ? failure : { ...failure, reason: `${who} returned HTTP ${status}. ${advice}` };
  }
  if (remoteId !== undefined) return { outcome: 'delivered', ...said, remoteId };
  if (status !== 207 && !isJson(text)) return { outcome: 'delivered', ...said };
  const reason = `${who} returned HTTP ${status}, but stored no contact.`;
  return { outcome: 'failed', refusal: isJson(text) ? 'recipient' : 'later', ...said, reason };
}
