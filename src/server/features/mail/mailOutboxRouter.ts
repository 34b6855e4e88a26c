import {
  outboxGetInput,
  outboxListInput,
  outboxListOutput,
  outboxMessage,
} from '#shared/admin/mailOutbox.ts';
import { notFound } from '../../errors.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import { recordAuditOnce, viewedAnewMs } from '../audit/audit.ts';

/** Messages contain leads' details, and links that act for them: only managers see them. */
const manager = staffProcedure('manager');

/** A message's name ends in its delivery's id. */
const deliveryOf = (name: string): string => name.slice(name.indexOf('-') + 1);

export const mailOutboxRouter = router({
  list: manager
    .input(outboxListInput)
    .output(outboxListOutput)
    .query(async ({ ctx, input: { before } }) => {
      const { outbox } = ctx.services.mail;
      if (outbox === null) return { inUse: false, messages: [], next: null };
      return { inUse: true, ...(await outbox.list(before ?? null)) };
    }),

  get: manager
    .input(outboxGetInput)
    .output(outboxMessage)
    .query(async ({ ctx, input: { name } }) => {
      const { services, actor, ip } = ctx.staffAction;
      const { outbox } = services.mail;
      if (outbox === null) throw notFound('Message');
      const message = await outbox.get(name);
      const subject = { kind: 'delivery', id: deliveryOf(name) };
      await recordAuditOnce(services.db, { actor, ip, action: 'mail.view', subject }, viewedAnewMs);
      return message;
    }),
});
