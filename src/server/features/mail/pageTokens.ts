import { createHash } from 'node:crypto';
import { dayMs } from '#shared/formats/time.ts';
import { readSigned, signText } from '#server/security/signedText.ts';

/** How long a page behind a link may be open before its button is pressed. */
const pageMaxAgeMs = dayMs;

/** The token of a link may be too long for a signed text. */
function getName(linkToken: string): string {
  return createHash('sha256').update(linkToken).digest('base64url');
}

/**
 * The token in the form of the page behind a link: it proves that the page was opened before its button was pressed,
 * which scanners that post to every address don't do. It is bound to the link, and to no network or browser.
 */
export function signPage(keys: readonly string[], linkToken: string, now: Date): string {
  return signText(keys, 'link-page', `${getName(linkToken)}_${now.getTime().toString(36)}`);
}

const pagePattern = /^([\w-]{43})_([0-9a-z]{1,11})$/;

/** Whether a page token of ours is of this link's page, and at most a day old. */
export function isPageOf(
  keys: readonly string[],
  linkToken: string,
  { pageToken, now }: { pageToken: string; now: Date },
): boolean {
  const [, name, time = ''] = pagePattern.exec(readSigned(keys, 'link-page', pageToken) ?? '') ?? [];
  return name === getName(linkToken) && now.getTime() - Number.parseInt(time, 36) <= pageMaxAgeMs;
}
