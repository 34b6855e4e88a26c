import { randomBytes } from 'node:crypto';
import type { WebhookEndpointRow } from '#server/db/schema/index.ts';
import { openText, type Seal, sealText } from '#server/security/sealedText.ts';

/** Standard Webhooks: 24 to 64 random bytes. */
const secretBytes = 32;

/** How an endpoint's secrets are sealed. `npm run secrets:rotate` reseals them. */
export function endpointSecretSeal(endpointId: string): Seal {
  return { purpose: 'webhook secret', owner: `webhook endpoint ${endpointId}` };
}

/** A new secret as integrators paste it, `whsec_` and base64. */
export function makeSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

export function sealSecret(keys: readonly string[], endpointId: string, secret: string): string {
  return sealText(keys, endpointSecretSeal(endpointId), secret);
}

type SecretColumns = Pick<WebhookEndpointRow, 'id' | 'secret' | 'previousSecret' | 'previousUntil'>;

/** The current secrets, newest first: two for a day after a rotation, and none if the keys to open them are gone. */
export function listSecrets(
  keys: readonly string[],
  { id, secret, previousSecret, previousUntil }: SecretColumns,
  now: Date,
): string[] {
  const isPreviousValid = previousUntil !== null && previousUntil > now;
  return [secret, isPreviousValid ? previousSecret : null]
    .map((sealed) => (sealed === null ? null : openText(keys, endpointSecretSeal(id), sealed)))
    .filter((opened) => opened !== null);
}
