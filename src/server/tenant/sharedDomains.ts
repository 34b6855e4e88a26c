import { getPublicSuffix } from 'tldts-icann';
import { isMailService } from '../mailServices.ts';

/** Sites on which many have a page: what people copy into the field in place of their own domain. */
const sites = new Set(
  `google.com facebook.com instagram.com linkedin.com twitter.com x.com youtube.com yelp.com healthgrades.com zocdoc.com
  linktr.ee bit.ly wixsite.com wordpress.com squarespace.com weebly.com godaddysites.com business.site googlemail.com`.split(
    /\s+/,
  ),
);

/**
 * Why a host is nobody's own: a public suffix such as `co.uk`, below which anyone can register, or the host of a mail
 * service or of a site with pages of many. Null for all others, also for names below these.
 */
export function sharedDomainKind(host: string): 'suffix' | 'shared' | null {
  if (sites.has(host) || isMailService(host)) return 'shared';
  const suffix = getPublicSuffix(host, { extractHostname: false, validateHostname: false });
  return suffix === host ? 'suffix' : null;
}
