import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { z } from 'zod';
import type { OidcConfig } from '#server/config/oidc.ts';
import { hourMs } from '#shared/formats/time.ts';

const timeoutSeconds = 5;
/** The provider's addresses rarely change; its keys are read again when a token names another one. */
const knownForMs = hourMs;

/** Visitors of the sign-in page can't make requests to a provider that is down. */
const failedForMs = 5_000;

const known = new WeakMap<OidcConfig, { configuration: Promise<Configuration>; until: number }>();

/** The provider's addresses and keys, from its discovery document. Throws if it doesn't answer. */
export function discoverProvider(oidc: OidcConfig): Promise<Configuration> {
  const before = known.get(oidc);
  if (before !== undefined && Date.now() < before.until) return before.configuration;
  const configuration = discovery(new URL(oidc.issuer), oidc.clientId, oidc.clientSecret, undefined, {
    timeout: timeoutSeconds,
    // The configuration allows http only outside production.
    execute: oidc.issuer.startsWith('http:') ? [allowInsecureRequests] : [],
  });
  const entry = { configuration, until: Date.now() + knownForMs };
  known.set(oidc, entry);
  configuration.catch(() => (entry.until = Date.now() + failedForMs));
  return configuration;
}

/** What the browser keeps, sealed, until it comes back. */
export const oidcAttempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  ends: z.number(),
});
type OidcAttempt = z.infer<typeof oidcAttempt>;

/** Where the browser signs in: authorization code with PKCE, state and nonce. Throws if the provider doesn't answer. */
export async function startAttempt(
  oidc: OidcConfig,
  { redirectUri, ends }: { redirectUri: string; ends: number },
): Promise<{ href: string; attempt: OidcAttempt }> {
  const configuration = await discoverProvider(oidc);
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return { href: url.href, attempt: { state, nonce, verifier, ends } };
}

/** Who signed in at the provider. */
export interface Identity {
  issuer: string;
  subject: string;
  /** Null: the provider says none, or hasn't verified it. */
  verifiedEmail: string | null;
  /** Of the claim that gives roles. */
  roleValues: readonly string[];
}

const strings = z.union([z.string().transform((value) => [value]), z.array(z.string())]).catch([]);

/**
 * Exchanges the code of the provider's answer, a URL of ours, for the person's identity. Throws if the answer isn't one
 * to this attempt, and if the provider refuses or doesn't answer.
 */
export async function finishAttempt(
  oidc: OidcConfig,
  answer: URL,
  { state, nonce, verifier }: OidcAttempt,
): Promise<Identity> {
  const configuration = await discoverProvider(oidc);
  const tokens = await authorizationCodeGrant(configuration, answer, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const idToken = tokens.claims();
  if (idToken === undefined) throw new Error('the provider sent no ID token');
  const { iss: issuer, sub: subject } = idToken;
  const userInfo = await fetchUserInfo(configuration, tokens.access_token, subject);
  const claims = { ...idToken, ...userInfo };
  // Many providers put the email address only there. Whether it is verified is said beside it.
  const { email, email_verified: isVerified } = userInfo.email === undefined ? idToken : userInfo;
  return {
    issuer,
    subject,
    // ASCII only: another letter may have the lowercase form of one in an account's address.
    verifiedEmail: isVerified === true ? (z.email().safeParse(email).data ?? null) : null,
    roleValues: oidc.roles === null ? [] : strings.parse(claims[oidc.roles.claim]),
  };
}
