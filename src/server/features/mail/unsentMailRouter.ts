import {
  unsentGetInput,
  unsentListInput,
  unsentListOutput,
  unsentMessage,
} from '#shared/admin/unsentMail.ts';
import { notFound } from '../../errors.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import { recordAuditOnce, viewedAnewMs } from '../audit/audit.ts';

/** Messages contain leads' details, and links that act for them: only managers see them. */
const manager = staffProcedure('manager');

/** A message's name ends in its delivery's id. */
const getDelivery = (name: string): string => name.slice(name.indexOf('-') + 1);

export const unsentMailRouter = router({
  list: manager
    .input(unsentListInput)
    .output(unsentListOutput)
    .query(async ({ ctx, input: { before } }) => {
      const { folder } = ctx.services.mail;
      if (folder === null) return { inUse: false, messages: [], next: null };
      return { inUse: true, ...(await folder.list(before ?? null)) };
    }),

  get: manager
    .input(unsentGetInput)
    .output(unsentMessage)
    .query(async ({ ctx, input: { name } }) => {
      const { services, actor, ip } = ctx.staffAction;
      const { folder } = services.mail;
      if (folder === null) throw notFound('Message');
      const message = await folder.get(name);
      const subject = { kind: 'delivery', id: getDelivery(name) };
      await recordAuditOnce(services.db, { actor, ip, action: 'mail.view', subject }, viewedAnewMs);
      return message;
    }),
});
