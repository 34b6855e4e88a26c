import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { testType } from '#shared/admin/webhooks.ts';
import { guardedRequest, keepConnections } from '#server/security/guardedRequest.ts';
import type { Services } from '#server/services.ts';
import { recordEndpointHealth } from '../../webhooks/endpointHealth.ts';
import { secretsOf } from '../../webhooks/endpointSecret.ts';
import { eventBody, storedResponse, webhookIdOf } from '../../webhooks/eventBody.ts';
import { type HttpResponse, networkFailureOf, readHead, readResponse, resultOf } from '../httpResult.ts';
import { signWebhook } from '../signWebhook.ts';
import type { Channel, DeliveryResult, EndedAttempt, FailedResult, WebhookInput } from '../types.ts';

const who = 'The endpoint';
/** The status decides the result, so a slower body is not read. */
const bodyMaxMs = 3_000;

function unsent(reason: string): FailedResult {
  return { outcome: 'failed', permanent: true, status: null, answer: null, reason };
}

/** Reads a response. An incomplete or slow body is no failure: the status counts. */
async function readLeniently(response: IncomingMessage, now: Date): Promise<HttpResponse> {
  const ended = new AbortController();
  const { signal } = ended;
  const late = delay(bodyMaxMs, null, { signal }).catch(() => null);
  const read = await Promise.race([readResponse(response, now).catch(() => null), late]);
  ended.abort();
  response.destroy();
  return read ?? readHead(response, now);
}

/**
 * Delivers events to integrators' endpoints by the Standard Webhooks scheme. Each attempt has its own signature and
 * current details.
 */
export function createWebhookChannel(
  services: Pick<Services, 'config' | 'db' | 'dataKeys'>,
): Channel<WebhookInput> {
  const { config } = services;
  const connections = keepConnections();

  async function deliver({ event, endpoint, now, signal }: WebhookInput): Promise<DeliveryResult> {
    const secrets = secretsOf(config.secretKeys, endpoint, now);
    if (secrets.length === 0)
      return unsent('The signing secret can’t be read since SECRET_KEYS was changed: rotate it.');
    if (config.production && !endpoint.url.startsWith('https:'))
      return unsent('Only https addresses are sent to.');
    const body = await eventBody(services, event, endpoint.payload);
    const id = webhookIdOf(event.id);
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
      return { ...resultOf(who, response), answer: storedResponse(response.text, body) };
    } catch (error) {
      return networkFailureOf(who, error, signal);
    }
  }

  return {
    name: 'webhook',
    heldReason: () => null,
    /** A test gets one attempt. */
    async deliver(input) {
      const result = await deliver(input);
      const isFailedTest = input.event.type === testType && result.outcome === 'failed';
      return isFailedTest ? { ...result, permanent: true } : result;
    },
    afterAttempt: (tx, ended: EndedAttempt<WebhookInput>) => recordEndpointHealth(tx, ended),
  };
}
