import { isIP } from 'node:net';
import type { Config } from '#server/config/config.ts';
import { AppError } from '#server/errors.ts';
import { isPublicAddress } from '#server/security/publicAddress.ts';

/**
 * Refuses a URL that nothing would be sent to: in production, plain http and addresses of private networks. The address that a name resolves to is
 * checked at each attempt (security/guardedRequest.ts). Throws UNPROCESSABLE_CONTENT at `url`.
 */
export function refuseUrl({ production }: Pick<Config, 'production'>, url: string): void {
  if (!production) return;
  const { protocol, hostname } = new URL(url);
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:') throw refusal('Give an address that begins with https://');
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw refusal('This address is not public');
}

function refusal(message: string): AppError {
  return new AppError('UNPROCESSABLE_CONTENT', message, { fields: { url: message } });
}
