import {
  adminDelivery,
  deliveryIdInput,
  deliveryDetail,
  deliveryListInput,
  deliveryListOutput,
  queueHealth,
  retryDeliveriesInput,
  retryDeliveriesOutput,
} from '#shared/admin/adminDeliveries.ts';
import { includesRole } from '#shared/admin/staff.ts';
import { router, type StaffAction, staffOrToken, staffProcedure } from '#server/procedures.ts';
import { auditListAccess } from '../audit/audit.ts';
import type { Actor } from '../auth/actor.ts';
import { getDelivery, listDeliveries, type Visibility } from './deliveryList.ts';
import { readQueueHealth } from './queueHealth.ts';
import { retryDeliveries, retryDelivery } from './retryDeliveries.ts';

function toVisibility(actor: Actor): Visibility {
  return actor.kind === 'staff'
    ? { reader: actor, withWebhooks: includesRole(actor.role, 'owner'), withNames: true }
    : {
        reader: actor,
        withWebhooks: actor.scopes.includes('webhooks:read'),
        withNames: actor.scopes.includes('leads:read'),
      };
}

/** Whether a caller may replay webhooks: an owner, or a token that may change endpoints. */
function mayReplay(actor: Actor): boolean {
  return actor.kind === 'staff' ? includesRole(actor.role, 'owner') : actor.scopes.includes('webhooks:write');
}

/** What a caller may see. Records that a token reads the names of leads. */
async function auditedVisibility(staffAction: StaffAction): Promise<Visibility> {
  const visibility = toVisibility(staffAction.actor);
  if (visibility.withNames) await auditListAccess(staffAction, 'leads.list');
  return visibility;
}

/** Deliveries of all channels. Webhooks exist only for owners and for tokens that may read endpoints. */
export const deliveriesRouter = router({
  list: staffOrToken('viewer', 'deliveries:read')
    .meta({
      rest: {
        method: 'GET',
        path: '/api/deliveries',
        summary: 'List deliveries',
        description:
          'Emails and CRM deliveries, newest first. A token also needs `webhooks:read` to see webhooks, and `leads:read` to see the names of leads. Totals are counted up to 10,000.',
      },
    })
    .input(deliveryListInput)
    .output(deliveryListOutput)
    .query(async ({ ctx: { services, staffAction }, input }) =>
      listDeliveries(services, { ...input, ...(await auditedVisibility(staffAction)) }),
    ),

  get: staffOrToken('viewer', 'deliveries:read')
    .meta({
      rest: {
        method: 'GET',
        path: '/api/deliveries/{id}',
        summary: 'Read a delivery',
        description:
          'With its attempts, the oldest first. Responses of receivers are stored without contact details.',
      },
    })
    .input(deliveryIdInput)
    .output(deliveryDetail)
    .query(async ({ ctx: { services, staffAction }, input }) =>
      getDelivery(services, { ...input, ...(await auditedVisibility(staffAction)) }),
    ),

  /** Queues deliveries for an attempt now, with a new retry schedule. */
  retry: staffOrToken('manager', 'deliveries:write')
    .meta({
      rest: {
        method: 'POST',
        path: '/api/deliveries/retry',
        summary: 'Retry deliveries',
        description:
          'Queues up to 500 for an attempt now and returns the IDs of those that were queued. Deliveries that aren’t retryable are left out. A token also needs `webhooks:write` to repeat webhooks.',
      },
    })
    .input(retryDeliveriesInput)
    .output(retryDeliveriesOutput)
    .mutation(async ({ ctx, input }) => ({
      queued: await retryDeliveries(ctx, { ...input, withWebhooks: mayReplay(ctx.actor) }),
    })),

  /** Makes one attempt now and waits for it: the delivery as it is then. */
  retryNow: staffProcedure('manager')
    .input(deliveryIdInput)
    .output(adminDelivery)
    .mutation(({ ctx, input }) => retryDelivery(ctx, { ...input, ...toVisibility(ctx.actor) })),

  queueHealth: staffProcedure('viewer')
    .output(queueHealth)
    .query(({ ctx: { services, actor } }) =>
      readQueueHealth(services.db, { now: services.now(), ...toVisibility(actor) }),
    ),
});
