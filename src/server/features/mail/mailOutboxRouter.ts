import { outboxGetInput, outboxListInput, outboxListOutput, outboxMessage } from '#shared/mailOutbox.ts';
import { notFound } from '../../errors.ts';
import { router, staffProcedure } from '../../trpc/init.ts';

/** Messages hold what leads left, and links that act for them: managers alone see them. */
const reading = staffProcedure('manager');

export const mailOutboxRouter = router({
  list: reading
    .input(outboxListInput)
    .output(outboxListOutput)
    .query(async ({ ctx, input: { before } }) => {
      const { outbox } = ctx.services.mail;
      if (outbox === null) return { inUse: false, messages: [], next: null };
      return { inUse: true, ...(await outbox.list(before ?? null)) };
    }),

  get: reading
    .input(outboxGetInput)
    .output(outboxMessage)
    .query(({ ctx, input: { name } }) => {
      const { outbox } = ctx.services.mail;
      if (outbox === null) throw notFound('Message');
      return outbox.get(name);
    }),
});
