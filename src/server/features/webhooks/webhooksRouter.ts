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
  type WebhookEndpoint,
  webhookEndpoint,
} from '#shared/admin/webhooks.ts';
import { router, staffOrToken } from '#server/procedures.ts';
import type { Actor } from '../auth/actor.ts';
import {
  createEndpoint,
  listEndpoints,
  readEndpoint,
  removeEndpoint,
  rotateSecret,
  switchEndpoint,
  testEndpoint,
  updateEndpoint,
} from './endpoints.ts';
import { replaySince, undoSwitchOff } from './replays.ts';

const reading = staffOrToken('owner', 'webhooks:read');
const writing = staffOrToken('owner', 'webhooks:write');

/** An endpoint as a caller may read it. The path and query of its URL may be secret, as in Slack's webhooks. */
function endpointFor(actor: Actor, endpoint: WebhookEndpoint): WebhookEndpoint {
  const mayChange = actor.kind === 'staff' || actor.scopes.includes('webhooks:write');
  return mayChange ? endpoint : { ...endpoint, url: new URL(endpoint.url).origin };
}

/** Endpoints that receive events; for owners. Their deliveries are in features/deliveries/deliveriesRouter.ts. */
export const webhooksRouter = router({
  list: reading
    .meta({
      rest: {
        method: 'GET',
        path: '/api/webhook-endpoints',
        summary: 'List webhook endpoints',
        description: 'All, the oldest first, each with its state and its failures in a row.',
      },
    })
    .output(z.object({ endpoints: z.array(webhookEndpoint) }))
    .query(async ({ ctx: { services, actor } }) => {
      const endpoints = await listEndpoints(services);
      return { endpoints: endpoints.map((endpoint) => endpointFor(actor, endpoint)) };
    }),

  get: reading
    .meta({
      rest: {
        method: 'GET',
        path: '/api/webhook-endpoints/{id}',
        summary: 'Read a webhook endpoint',
        description:
          'Without its secret, which is shown once. Without `webhooks:write`, a token gets only the origin of the URL.',
      },
    })
    .input(endpointIdInput)
    .output(webhookEndpoint)
    .query(async ({ ctx: { services, actor }, input: { id } }) =>
      endpointFor(actor, await readEndpoint(services, id)),
    ),

  create: writing
    .meta({
      needsRecentSignIn: true,
      rest: {
        method: 'POST',
        path: '/api/webhook-endpoints',
        summary: 'Add a webhook endpoint',
        description:
          'The endpoint starts enabled. Empty `types` mean all types, also future ones; `full` adds contact details. Only this response contains the secret.',
        status: 201,
      },
    })
    .input(endpointCreateInput)
    .output(endpointSecretOutput)
    .mutation(({ ctx, input }) => createEndpoint(ctx.staffAction, input)),

  update: writing
    .meta({
      needsRecentSignIn: true,
      rest: {
        method: 'PATCH',
        path: '/api/webhook-endpoints/{id}',
        summary: 'Change a webhook endpoint',
        description: 'Fields that are left out stay as they are. Queued deliveries go to the new URL.',
      },
    })
    .input(endpointUpdateInput)
    .output(webhookEndpoint)
    .mutation(({ ctx, input }) => updateEndpoint(ctx.staffAction, input)),

  switch: writing
    .meta({
      rest: {
        method: 'POST',
        path: '/api/webhook-endpoints/{id}/switch',
        summary: 'Switch a webhook endpoint on or off',
        description:
          'On: its failures are reset. Off: its queued deliveries are cancelled; a replay sends the events later.',
      },
    })
    .input(endpointSwitchInput)
    .output(webhookEndpoint)
    .mutation(({ ctx, input: { id, on, undo = false } }) =>
      on && undo ? undoSwitchOff(ctx.staffAction, id) : switchEndpoint(ctx.staffAction, id, on),
    ),

  remove: writing
    .meta({
      rest: {
        method: 'DELETE',
        path: '/api/webhook-endpoints/{id}',
        summary: 'Remove a webhook endpoint',
        description: 'Also deletes its deliveries. This can’t be undone.',
      },
    })
    .input(endpointIdInput)
    .output(endpointIdInput)
    .mutation(async ({ ctx, input: { id } }) => {
      await removeEndpoint(ctx.staffAction, id);
      return { id };
    }),

  rotate: writing
    .meta({
      needsRecentSignIn: true,
      rest: {
        method: 'POST',
        path: '/api/webhook-endpoints/{id}/rotate-secret',
        summary: 'Create a new secret',
        description:
          'For 24 hours, requests are also signed with the previous one. Only this response contains the new secret.',
      },
    })
    .input(endpointIdInput)
    .output(endpointSecretOutput)
    .mutation(({ ctx, input: { id } }) => rotateSecret(ctx.staffAction, id)),

  test: writing
    .meta({
      noDeadline: true,
      rest: {
        method: 'POST',
        path: '/api/webhook-endpoints/{id}/test',
        summary: 'Send a test event',
        description: 'Sends `webhook.test` now, also while the endpoint is off, and returns the result.',
      },
    })
    .input(endpointIdInput)
    .output(attemptResult)
    .mutation(({ ctx, input: { id } }) => testEndpoint(ctx.staffAction, id)),

  replaySince: writing
    .meta({
      noDeadline: true,
      rest: {
        method: 'POST',
        path: '/api/webhook-endpoints/{id}/replay',
        summary: 'Replay events to an endpoint',
        description:
          'Queues the events since a time again, also delivered ones: 10,000 at a time, the oldest first. If there are more, repeat it with the values of `next`. The endpoint must be on.',
      },
    })
    .input(replaySinceInput)
    .output(replaySinceOutput)
    .mutation(({ ctx, input }) => replaySince(ctx.staffAction, input)),
});
