import { z } from 'zod';
import {
  endpointCreateInput,
  endpointIdInput,
  endpointSecretOutput,
  endpointSwitchInput,
  endpointUpdateInput,
  replaySinceInput,
  replaySinceOutput,
  attemptResult,
  webhookEndpoint,
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
import { replaySince } from './replays.ts';
import { testEndpoint } from './endpoints.ts';

const owner = staffProcedure('owner');

function staffActionOf({
  services,
  caller,
  actor,
}: InnerContext & { actor: Actor }): WebhookAction & Pick<InnerContext, 'services'> {
  return { services, actor, ip: plainAddress(caller.ip) };
}

/** Endpoints that receive events; for owners. Their deliveries are in features/deliveries/deliveriesRouter.ts. */
export const webhooksRouter = router({
  list: owner.output(z.array(webhookEndpoint)).query(({ ctx: { services } }) => listEndpoints(services)),

  /** The only response that contains the secret. */
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

  /** The only response that contains the new secret. */
  rotate: owner
    .input(endpointIdInput)
    .output(endpointSecretOutput)
    .mutation(({ ctx, input: { id } }) => rotateSecret(staffActionOf(ctx), id)),

  test: owner
    .meta({ unhurried: true })
    .input(endpointIdInput)
    .output(attemptResult)
    .mutation(({ ctx, input: { id } }) => testEndpoint(staffActionOf(ctx), id)),

  replaySince: owner
    .meta({ unhurried: true })
    .input(replaySinceInput)
    .output(replaySinceOutput)
    .mutation(({ ctx, input }) => replaySince(staffActionOf(ctx), input)),
});
