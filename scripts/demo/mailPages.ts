import { Router } from '@koa/router';
import type { MailServer } from '#test/support/mailServer.ts';
import { html, page } from './html.ts';

/** A mail catcher: `/mail` lists what its SMTP server received and shows each message. Nothing is sent on. */
export function mailPages({ received }: Pick<MailServer, 'received'>): Router {
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
        <h2>Plain text</h2>
        <pre>${text}</pre>`,
    );
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
