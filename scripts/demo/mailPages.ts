import { randomUUID } from 'node:crypto';
import { Router } from '@koa/router';
import type { Email } from 'postal-mime';
import { signWebhook } from '#server/features/outbox/httpResult.ts';
import type { MailServer } from './mailServer.ts';
import { getForm } from './readForm.ts';
import { html, page } from './html.ts';

export interface InboundMail {
  /** The product's endpoint for mail that arrived. */
  url: string;
  secret: string;
}

/** Replies to a message as a mail service reports it: signed, and posted to the product. */
async function reply(
  { url, secret }: InboundMail,
  { from, to, subject, replyTo }: Email,
  text: string,
): Promise<void> {
  const [sender] = to ?? [];
  const [recipient] = replyTo ?? [];
  const body = JSON.stringify({
    to: recipient?.address ?? from?.address ?? '',
    from: sender?.address ?? '',
    subject: `Re: ${subject ?? ''}`,
    text,
  });
  const signed = signWebhook({ id: `msg_${randomUUID()}`, body, secrets: [secret], now: new Date() });
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed },
    body,
  });
  if (!answer.ok) throw new Error(`The reply was answered with ${answer.status}.`);
}

/**
 * A mail catcher: `/mail` lists what its SMTP server received, shows each message, and replies to it. Nothing is sent
 * on.
 */
export function mailPages({ received }: Pick<MailServer, 'received'>, inbound: InboundMail): Router {
  const router = new Router({ prefix: '/mail' });

  router.get('/', async (ctx) => {
    const emails = await Promise.all(received.map(({ email }) => email));
    const items = emails.map(
      ({ subject = '', to = [] }, index) =>
        html`<li>
          <a href="/mail/${index}">${subject}</a>
          <div class="muted">To ${to.map(({ address = '' }) => address).join(', ')}</div>
        </li>`,
    );
    const none = html`<p>No mail yet. Send a lead: one message goes to the lead and one to its provider.</p>`;
    ctx.body = page(
      'Mail',
      items.length === 0
        ? none
        : html`<ul>
            ${items.toReversed()}
          </ul>`,
    );
  });

  router.get('/:index', async (ctx) => {
    const email = await received[Number(ctx.params['index'])]?.email;
    if (email === undefined) return;
    const { subject = '', from, to = [], replyTo = [], text = '' } = email;
    ctx.body = page(
      subject,
      html`<p>
          From ${from?.address ?? ''}<br />
          To ${to.map(({ address = '' }) => address).join(', ')}<br />
          Reply to ${replyTo.map(({ address = '' }) => address).join(', ')}
        </p>
        <iframe title="Message" sandbox="allow-popups" src="/mail/${ctx.params['index'] ?? ''}/html"></iframe>
        <form method="post" action="/mail/${ctx.params['index'] ?? ''}/reply">
          <label>Reply <input name="text" value="STOP" /></label>
          <button>Send reply</button>
        </form>
        <h2>Plain text</h2>
        <pre>${text}</pre>`,
    );
  });

  router.post('/:index/reply', async (ctx) => {
    const email = await received[Number(ctx.params['index'])]?.email;
    if (email === undefined) return;
    await reply(inbound, email, (await getForm(ctx.req)).get('text') ?? '');
    ctx.redirect('/mail');
  });

  router.get('/:index/html', async (ctx) => {
    const email = await received[Number(ctx.params['index'])]?.email;
    if (email === undefined) return;
    ctx.set('Content-Security-Policy', 'sandbox allow-popups');
    ctx.type = 'html';
    // Links open in a tab of their own, not in the frame.
    ctx.body = (email.html ?? '').replace('<head>', '<head><base target="_blank">');
  });

  return router;
}
