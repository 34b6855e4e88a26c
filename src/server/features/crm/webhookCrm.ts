import { z } from 'zod';
import { guardedRequest, keepConnections } from '#server/security/guardedRequest.ts';
import { parseJson } from '#server/security/readBody.ts';
import { leadContact } from '../identity/leadContact.ts';
import { readAnswers, readLeadFields } from '../identity/leadFieldValues.ts';
import { openKey } from '../providers/sealedKey.ts';
import { heldRetryAt } from '../outbox/backoff.ts';
import type { Channel, DeliveryInput, DeliveryResult } from '../outbox/types.ts';
import {
  type HttpReceiver,
  toNetworkFailure,
  readLeniently,
  toResult,
  signWebhook,
} from '../outbox/httpResult.ts';

const who = 'The CRM';

/** Without the key, the CRM would assign the lead to another provider, or to none. */
function unopened(now: Date): DeliveryResult {
  return {
    outcome: 'held',
    holdCause: 'ours',
    isProviderKey: true,
    reason: 'The provider’s key can’t be opened: none of SECRET_KEYS is the one it was sealed with.',
    nextAttemptAt: heldRetryAt(now),
  };
}

export interface WebhookCrm {
  url: string;
  /** `whsec_…`, for the signature. */
  secret: string;
  /** Open the providers' keys. */
  secretKeys: readonly string[];
  /** Development and tests use loopback addresses. */
  allowLoopback: boolean;
}

/** The contact's name, a number or text. Any other value is ignored. */
const contactName = z.union([z.string().min(1), z.number()]).transform(String);
const contactResponse = z
  .object({
    id: contactName.optional().catch(undefined),
    contact_id: contactName.optional().catch(undefined),
  })
  .transform(({ id, contact_id: contactId }) => id ?? contactId);

function getRemoteId(text: string): { remoteId?: string } {
  const remoteId = parseJson(contactResponse, text)?.slice(0, 200);
  return remoteId === undefined ? {} : { remoteId };
}

/** A lead as a CRM receives it, with the names of the REST responses. No consent evidence, no IP address. */
function leadRecord({ lead, leftOut, provider, remoteId }: DeliveryInput) {
  const { email, phone, extension, typed } = leadContact(lead, leftOut);
  const zipCode = lead.zip5 ?? lead.zipCode;
  const { zip_code, ...contact } = readLeadFields({ ...lead, email, phone, zipCode }, 'crm');
  return {
    id: lead.id,
    // The key: numbers may be used again after a restore.
    uuid: lead.publicId,
    created_at: lead.createdAt.toISOString(),
    ...contact,
    // Digits; null: none was typed.
    phone_extension: extension,
    // What was typed, reduced to digits and a few words; null: it says no more than the number.
    phone_typed: typed,
    zip_code,
    acceptance_consent: lead.acceptanceConsent,
    provider_id: provider?.id ?? null,
    provider_name: provider?.name ?? null,
    is_repeat: lead.duplicateOf !== null,
    // The CRM's name for the contact, from an earlier response.
    contact_id: remoteId,
    ...readAnswers(lead, 'crm'),
  };
}

/** The body about a lead. For an erased person, only the lead's number and the CRM's name for the contact. */
function buildMessage(input: DeliveryInput): { type: string; timestamp: string; data: object } {
  const { delivery, isKnown, lead, now, remoteId } = input;
  if (delivery.template === 'erased')
    return {
      type: 'lead.erased',
      timestamp: (lead.erasedAt ?? now).toISOString(),
      data: { id: lead.id, uuid: lead.publicId, contact_id: remoteId },
    };
  return {
    type: isKnown ? 'lead.assigned' : 'lead.created',
    timestamp: (isKnown ? now : lead.createdAt).toISOString(),
    data: leadRecord(input),
  };
}

/**
 * A CRM, or a service in front of one, that receives webhooks by the Standard Webhooks scheme:
 * https://www.standardwebhooks.com. `webhook-id` is the same for every attempt of one delivery. The provider's own key
 * is sent as a bearer token. Any 2xx is success. An `id` or `contact_id` in the response is stored and sent with later
 * deliveries of that lead.
 */
export function createWebhookCrm({ url, secret, secretKeys, allowLoopback }: WebhookCrm): Channel['deliver'] {
  const connections = keepConnections();

  return async (input): Promise<DeliveryResult> => {
    const { now, delivery, provider, signal } = input;
    const sealed = provider?.mpxapi ?? null;
    const key = provider === null || sealed === null ? null : openKey(secretKeys, provider.id, sealed);
    if (sealed !== null && key === null) return unopened(now);
    const receiver: HttpReceiver = { who, owner: key === null ? 'installation' : 'provider' };
    const body = JSON.stringify(buildMessage(input));
    try {
      const response = await guardedRequest(new URL(url), {
        signal,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'clinic-leads/1',
          ...signWebhook({ id: delivery.id, body, secrets: [secret], now }),
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        body,
        allowLoopback,
        connections,
      });
      const answer = await readLeniently(response, now);
      const result = toResult(receiver, answer);
      const hasContact = result.outcome === 'delivered' && input.delivery.template !== 'erased';
      return hasContact ? { ...result, ...getRemoteId(answer.text) } : result;
    } catch (error) {
      return toNetworkFailure(receiver, error, { signal, now });
    }
  };
}
