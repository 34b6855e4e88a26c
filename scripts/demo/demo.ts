import { once } from 'node:events';
import { parseArgs } from 'node:util';
import Koa from 'koa';
import { environment } from '#server/config/environment.ts';
import { makeSecret } from '#server/features/webhooks/endpointSecret.ts';
import { enableCompiledCode } from '#server/startup/compileCache.ts';
import { loopbackHosts, parseHost } from '#server/tenant/parseHost.ts';
import { mailServer } from './mailServer.ts';
import { feedLogin } from './wordpressFeed.ts';
import { ensureBuilt } from '../build.ts';
import { html, page } from './html.ts';
import { mailPages } from './mailPages.ts';
import { receiverPages } from './receiverPages.ts';
import { wordpressPages } from './wordpressPages.ts';

const startedAtMs = Date.now();

/** The CRM's name for a lead. */
function toContact(body: unknown): object {
  const data: unknown = Reflect.get(Object(body), 'data');
  return { id: `contact-${String(Reflect.get(Object(data), 'id'))}` };
}

/**
 * Neither the shell's nor `.env`'s settings count: the demo reaches no real database, CRM or mailbox. An empty variable
 * counts as unset.
 */
function setEnvironment(values: Record<string, string>): void {
  for (const name of Object.keys(environment.shape)) {
    process.env[name] = '';
    process.env[`${name}_FILE`] = '';
  }
  Object.assign(process.env, values);
}

/**
 * `npm run demo`: the product with everything it talks to, on this machine only: a mail catcher, a CRM, a receiver of
 * webhooks and a WordPress site. Development allows these addresses; production refuses addresses of this machine.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '3000' },
      'tools-port': { type: 'string', default: '3001' },
      data: { type: 'string', default: './data/demo' },
    },
  });
  const tools = `http://localhost:${values['tools-port']}`;
  const site = `http://localhost:${values.port}`;
  const smtp = await mailServer();
  const [crmSecret, inboundSecret] = [makeSecret(), makeSecret()];
  const wordpress = wordpressPages(tools);
  setEnvironment({
    PORT: values.port,
    DATA_DIR: values.data,
    MAP_TILES_URL: 'off',
    RATE_LIMIT_LEADS: 'off',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    INBOUND_MAIL_ADDRESS: 'stop@reply.example',
    INBOUND_MAIL_SECRET: inboundSecret,
    CRM_WEBHOOK_URL: `${tools}/crm/deliveries`,
    CRM_WEBHOOK_SECRET: crmSecret,
    WORDPRESS_URL: `${tools}/wordpress`,
    WORDPRESS_USER: feedLogin.user,
    WORDPRESS_APP_PASSWORD: feedLogin.appPassword,
  });

  const crm = receiverPages({
    name: 'CRM',
    path: '/crm',
    empty: 'No lead yet. Each lead arrives here within seconds.',
    secret: crmSecret,
    answer: toContact,
  });
  const webhooks = receiverPages({
    name: 'Webhooks',
    path: '/webhooks',
    empty: `Nothing yet. In the dashboard, add the endpoint ${tools}/webhooks/deliveries and test it.`,
    secret: null,
    answer: () => ({}),
  });
  const inbound = { url: `${site}/api/mail/inbound`, secret: inboundSecret };
  const app = new Koa();
  // A foreign page can point its own name here (DNS rebinding), and would read the messages and the leads.
  app.use((ctx, next) =>
    parseHost(ctx.get('Host'), loopbackHosts).kind === 'main'
      ? next()
      : ctx.throw(421, `Open ${tools} on this machine.`),
  );
  // Nor may it post a form here: a reply of STOP withdraws.
  app.use((ctx, next) =>
    ctx.method === 'GET' || ['', 'same-origin', 'none'].includes(ctx.get('Sec-Fetch-Site'))
      ? next()
      : ctx.throw(403, 'Send the form from its own page.'),
  );
  for (const router of [mailPages(smtp, inbound), crm, webhooks, wordpress.router]) app.use(router.routes());
  app.use((ctx) => {
    if (ctx.path !== '/') return;
    ctx.body = page(
      'Demo',
      html`<p>
          Send a lead on the <a href="${site}">main site</a> and open the
          <a href="${site}/admin">dashboard</a>.
        </p>
        <p>The messages, the CRM’s copy and the webhooks arrive here. Nothing leaves this machine.</p>`,
    );
  });
  const server = app.listen(Number(values['tools-port']), '127.0.0.1');
  await once(server, 'listening');

  await ensureBuilt();
  const { serve } = await import('#server/serve.ts');
  const { startEmbedded } = await import('../embeddedPostgres/start.ts');
  const { seedSampleData } = await import('#scripts/sampleData/sampleProviders.ts');
  await serve('web', {
    startDatabase: ({ dataDir }, log) => startEmbedded({ dataDir, log }),
    seed: (db) => seedSampleData(db, wordpress.providers),
    startedAtMs,
  });
  const lines = [
    `  Mail         ${tools}/mail`,
    `  CRM          ${tools}/crm`,
    `  Webhooks     ${tools}/webhooks  (endpoint ${tools}/webhooks/deliveries)`,
    `  WordPress    ${tools}/wordpress`,
  ];
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

enableCompiledCode();
await main();
