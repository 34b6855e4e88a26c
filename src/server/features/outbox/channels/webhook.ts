import { testType } from '#shared/admin/webhooks.ts';
import { guardedRequest, keepConnections } from '#server/security/guardedRequest.ts';
import type { Services } from '#server/services.ts';
import { recordEndpointHealth } from '../../webhooks/endpointStates.ts';
import { listSecrets } from '../../webhooks/endpointSecret.ts';
import { eventBody, storedResponse, getWebhookId } from '../../webhooks/eventBody.ts';
import { type HttpReceiver, toNetworkFailure, readLeniently, toResult, signWebhook } from '../httpResult.ts';
import type { Channel, DeliveryResult, EndedAttempt, FailedResult, WebhookInput } from '../types.ts';

const receiver: HttpReceiver = { who: 'The endpoint', owner: 'endpoint' };

function unsent(reason: string): FailedResult {
  return { outcome: 'failed', refusal: 'recipient', status: null, answer: null, reason };
}

/** Delivers events to integrators by Standard Webhooks. Each attempt has its own signature and current details. */
export function createWebhookChannel(
  services: Pick<Services, 'config' | 'db' | 'dataKeys'>,
): Channel<WebhookInput> {
  const { config } = services;
  const connections = keepConnections();

  async function deliver({ event, endpoint, now, signal }: WebhookInput): Promise<DeliveryResult> {
    const secrets = listSecrets(config.secretKeys, endpoint, now);
    if (secrets.length === 0)
      return unsent('The signing secret can’t be read since SECRET_KEYS was changed: rotate it.');
    if (config.production && !endpoint.url.startsWith('https:'))
      return unsent('Only https addresses are sent to.');
    const body = await eventBody(services, event, endpoint.payload);
    const id = getWebhookId(event.id);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      ...signWebhook({ id, body, secrets, now }),
      'content-length': String(Buffer.byteLength(body)),
    };
    const allowLoopback = !config.production;
    try {
      const request = guardedRequest(new URL(endpoint.url), {
        ...{ signal, body, headers, allowLoopback, connections },
      });
      const response = await readLeniently(await request, now);
      return { ...toResult(receiver, response), answer: storedResponse(response.text, body) };
    } catch (error) {
      return toNetworkFailure(receiver, error, { signal, now });
    }
  }

  return {
    name: 'webhook',
    heldReason: () => null,
    /** A test gets one attempt. */
    async deliver(input) {
      const result = await deliver(input);
      const isFailedTest = input.event.type === testType && result.outcome === 'failed';
      return isFailedTest ? { ...result, refusal: 'recipient' } : result;
    },
    afterAttempt: (tx, ended: EndedAttempt<WebhookInput>) => recordEndpointHealth(tx, ended),
  };
}
