import type Koa from 'koa';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { inboundMail as inboundMailSchema } from '#shared/leads/inboundMail.ts';
import { AppError, notFound } from '../errors.ts';
import { receiveReply } from '../features/withdrawals/inboundReplies.ts';
import { receiveMailEvent } from '../features/withdrawals/mailEvents.ts';
import { sendJson } from '../http/sendJson.ts';
import type { Services } from '../services.ts';
import type { AppContext } from '../tenant/tenant.ts';
import { parseJson, readText } from './requestBody.ts';

/** A long message quotes many earlier ones. */
const bodyMaxBytes = 512 * 1024;

/** Throws UNAUTHORIZED unless the body was signed with the secret within the last five minutes. */
function verify(ctx: Koa.Context, secret: string, body: string): void {
  const headers = {
    'webhook-id': ctx.get('webhook-id'),
    'webhook-timestamp': ctx.get('webhook-timestamp'),
    'webhook-signature': ctx.get('webhook-signature'),
  };
  try {
    new Webhook(secret).verify(body, headers);
  } catch (error) {
    // It also parses the body, which is the caller's task.
    if (error instanceof SyntaxError) return;
    if (!(error instanceof WebhookVerificationError)) throw error;
    throw new AppError('UNAUTHORIZED', 'The signature is missing or not valid.', { cause: error });
  }
}

/**
 * `POST /api/mail/inbound`: mail for us, signed by the Standard Webhooks scheme with `INBOUND_MAIL_SECRET` over the
 * exact bytes, so it is no procedure. Throws NOT_FOUND unless configured, and UNAUTHORIZED.
 */
export async function receiveMail(ctx: AppContext, services: Services): Promise<void> {
  const { inboundMail } = services.config;
  if (inboundMail === null) throw notFound('Inbound mail');
  // Before a body is read for nothing.
  if (ctx.get('webhook-signature') === '')
    throw new AppError('UNAUTHORIZED', 'The signature is missing or not valid.');
  const body = await readText(ctx.req, bodyMaxBytes);
  verify(ctx, inboundMail.secret, body);
  const message = inboundMailSchema.safeParse(parseJson(body));
  if (!message.success)
    throw new AppError('UNPROCESSABLE_CONTENT', 'The body must be a reply, bounce or complaint.');
  const { data } = message;
  await (data.type === 'reply' ? receiveReply(services, data) : receiveMailEvent(services, data));
  await sendJson(ctx, { status: 200, output: { success: true }, caching: 'no-store' });
}
