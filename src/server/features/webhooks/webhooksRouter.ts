import { z } from 'zod';
import {
  endpointCreateInput,
  endpointIdInput,
  endpointSecretOutput,
  endpointSwitchInput,
  endpointUpdateInput,
  messageIdInput,
  messageListInput,
  messageListOutput,
  messageAttempt,
  replaySinceInput,
  replaySinceOutput,
  attemptResult,
  webhookEndpoint,
  webhookMessage,
} from '#shared/admin/webhooks.ts';
import type { InnerContext } from '#server/caller.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import { plainAddress } from '../consent/consentHash.ts';
import type { Actor } from '../auth/actor.ts';
import {
  createEndpoint,
  type WebhookAction,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
  switchEndpoint,
  updateEndpoint,
} from './endpoints.ts';
import { listMessages, listAttempts } from './messageList.ts';
import { replayMessage, replaySince } from './replays.ts';
import { testEndpoint } from './testEndpoint.ts';

const owner = staffProcedure('owner');

function staffActionOf({ services, caller, actor }: InnerContext & { actor: Actor }): WebhookAction {
  return { services, actor, ip: plainAddress(caller.ip) };
}

/** Where integrators are told of what happens. */
export const eventsRouter = router({
  list: owner.output(z.array(webhookEndpoint)).query(({ ctx: { services } }) => listEndpoints(services)),

  /** The answer is the only time the secret is seen. */
  create: owner
    .input(endpointCreateInput)
    .output(endpointSecretOutput)
    .mutation(({ ctx, input }) => createEndpoint(staffActionOf(ctx), input)),

  update: owner
    .input(endpointUpdateInput)
    .output(webhookEndpoint)
    .mutation(({ ctx, input }) => updateEndpoint(staffActionOf(ctx), input)),

  switch: owner
    .input(endpointSwitchInput)
    .output(webhookEndpoint)
    .mutation(({ ctx, input: { id, on } }) => switchEndpoint(staffActionOf(ctx), id, on)),

  remove: owner
    .input(endpointIdInput)
    .output(endpointIdInput)
    .mutation(async ({ ctx, input: { id } }) => {
      await removeEndpoint(staffActionOf(ctx), id);
      return { id };
    }),

  /** The answer is the only time the new secret is seen. */
  rotate: owner
    .input(endpointIdInput)
    .output(endpointSecretOutput)
    .mutation(({ ctx, input: { id } }) => rotateSecret(staffActionOf(ctx), id)),

  test: owner
    .meta({ unhurried: true })
    .input(endpointIdInput)
    .output(attemptResult)
    .mutation(({ ctx, input: { id } }) => testEndpoint(staffActionOf(ctx), id)),

  messages: owner
    .input(messageListInput)
    .output(messageListOutput)
    .query(({ ctx: { services }, input }) => listMessages(services.db, input)),

  attempts: owner
    .input(messageIdInput)
    .output(z.array(messageAttempt))
    .query(({ ctx: { services }, input: { id } }) => listAttempts(services.db, id)),

  replay: owner
    .input(messageIdInput)
    .output(webhookMessage)
    .mutation(({ ctx, input: { id } }) => replayMessage(staffActionOf(ctx), id)),

  replaySince: owner
    .meta({ unhurried: true })
    .input(replaySinceInput)
    .output(replaySinceOutput)
    .mutation(({ ctx, input }) => replaySince(staffActionOf(ctx), input)),
});
