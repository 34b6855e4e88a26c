import { createServer } from 'node:http';
import { generateKeyPairSync } from 'node:crypto';
import { Provider } from 'oidc-provider';

interface Person {
  sub: string;
  email: string;
  email_verified: boolean;
  groups?: string[];
}

const client = { id: 'dashboard', secret: 'a secret of the test' };

/** A real identity provider on a free port. Everyone who comes is signed in as `person`, without a form. */
export async function identityProvider() {
  const server = createServer();
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the identity provider has no port');
  const { port } = address;
  const issuer = `http://127.0.0.1:${port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let person: Person | null = null;
  let isDown = false;

  return {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
    /** Who signs in from now on. */
    is: (next: Person) => void (person = next),
    goDown: () => void (isDown = true),
    /** Serves the application at this address. */
    serve(appUrl: string): void {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: client.id,
            client_secret: client.secret,
            redirect_uris: [`${appUrl}/sign-in/single-sign-on/callback`],
          },
        ],
        jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'test' }] },
        cookies: { keys: ['a key of the test'] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_, { uid }) => `/interaction/${uid}` },
        findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...person, sub }) }),
        loadExistingGrant: async ({ oidc }) => {
          const { session } = oidc;
          if (session?.accountId === undefined || oidc.client === undefined) return undefined;
          const grant = new oidc.provider.Grant({
            clientId: oidc.client.clientId,
            accountId: session.accountId,
          });
          grant.addOIDCScope('openid email profile');
          await grant.save();
          return grant;
        },
        ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
        pkce: { required: () => true },
      });
      provider.use(async (ctx, next) => {
        if (!ctx.path.startsWith('/interaction/')) return next();
        const result = { login: { accountId: person?.sub ?? '' } };
        await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
        ctx.respond = false;
        return undefined;
      });
      const handle = provider.callback();
      server.on('request', (request, response) => {
        if (isDown) response.destroy();
        else void handle(request, response);
      });
    },
    /** Follows the redirects of a new browser from the provider's page to the application. Returns the path there. */
    async visit(href: string): Promise<string> {
      const cookies = new Map<string, string>();
      let at = href;
      for (let hop = 0; hop < 10 && at.startsWith(issuer); hop += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const set of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        const location = answer.headers.get('location');
        if (location === null) throw new Error(`no redirect: ${answer.status} ${await answer.text()}`);
        at = new URL(location, at).href;
      }
      const { pathname, search } = new URL(at);
      return pathname + search;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<unknown>((done) => {
        server.close(done);
      });
    },
  };
}
