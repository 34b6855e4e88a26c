import { text } from 'node:stream/consumers';
import { Router } from '@koa/router';
import { Webhook } from 'standardwebhooks';
import { html, type Markup, page, timeShown } from './html.ts';
import { getForm } from './readForm.ts';

interface Delivered {
  at: Date;
  id: string;
  /** Null: without a secret, it isn't known. */
  isSigned: boolean | null;
  status: number;
  body: string;
}

interface Receiver {
  name: string;
  path: string;
  /** What the page says before anything arrived. */
  empty: string;
  /** The signing secret; null: the page asks for it. */
  secret: string | null;
  /** What it answers a delivery that it accepts. */
  answer: (body: unknown) => object;
}

function isSigned(secret: string | null, body: string, headers: Record<string, string>): boolean | null {
  if (secret === null) return null;
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

const signatureText = (isValid: boolean | null): string =>
  isValid === null ? 'Signature not checked' : isValid ? 'Signature valid' : 'Signature invalid';

function shown({ at, id, isSigned: isValid, status, body }: Delivered): Markup {
  return html`<li>
    <div>${timeShown(at)} · answered ${status} · ${signatureText(isValid)}</div>
    <div class="muted">${id}</div>
    <pre>${body}</pre>
  </li>`;
}

/**
 * A receiver of signed webhooks, as a CRM or an integrator runs one. `POST {path}/deliveries` receives, `{path}` lists
 * what arrived. A switch makes it fail, to see retries.
 */
export function receiverPages({ name, path, empty, secret: given, answer }: Receiver): Router {
  const router = new Router({ prefix: path });
  const delivered: Delivered[] = [];
  let secret = given;
  let isFailing = false;

  router.post('/deliveries', async (ctx) => {
    const body = await text(ctx.req);
    const headers = {
      'webhook-id': ctx.get('webhook-id'),
      'webhook-timestamp': ctx.get('webhook-timestamp'),
      'webhook-signature': ctx.get('webhook-signature'),
    };
    const isValid = isSigned(secret, body, headers);
    ctx.status = isFailing ? 500 : isValid === false ? 401 : 200;
    delivered.push({
      at: new Date(),
      id: headers['webhook-id'],
      isSigned: isValid,
      status: ctx.status,
      body,
    });
    ctx.body = ctx.status === 200 ? answer(JSON.parse(body)) : {};
  });

  router.post('/mode', async (ctx) => {
    isFailing = (await getForm(ctx.req)).get('mode') === 'fail';
    ctx.redirect(path);
  });

  router.post('/secret', async (ctx) => {
    secret = (await getForm(ctx.req)).get('secret') || null;
    ctx.redirect(path);
  });

  router.get('/', (ctx) => {
    const mode = html`<form method="post" action="${path}/mode">
      <input type="hidden" name="mode" value="${isFailing ? 'accept' : 'fail'}" />
      <button>${isFailing ? 'Accept requests again' : 'Fail requests with 500'}</button>
    </form>`;
    const askSecret = html`<form method="post" action="${path}/secret">
      <label>Signing secret, to check signatures <input name="secret" value="${secret ?? ''}" /></label>
      <button>Save</button>
    </form>`;
    ctx.body = page(
      name,
      html`${given === null ? askSecret : []} ${mode}
        <p>Requests are ${isFailing ? 'failing' : 'accepted'}. Received so far: ${delivered.length}.</p>
        ${
          delivered.length === 0
            ? html`<p>${empty}</p>`
            : html`<ul>
                ${delivered.map(shown).toReversed()}
              </ul>`
        }`,
    );
  });

  return router;
}
