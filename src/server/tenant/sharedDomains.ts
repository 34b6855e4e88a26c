import { getPublicSuffix } from 'tldts-icann';

/** Mail services, and sites on which many have a page: what people copy into the field in place of their own domain. */
const shared = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com rocketmail.com aol.com icloud.com
  me.com mac.com proton.me protonmail.com pm.me gmx.com gmx.net gmx.de web.de mail.com email.com zoho.com yandex.com
  yandex.ru mail.ru qq.com 163.com 126.com fastmail.com hey.com tutanota.com tuta.com juno.com netzero.net comcast.net
  xfinity.com verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net spectrum.net earthlink.net
  optonline.net frontier.com centurylink.net windstream.net roadrunner.com
  google.com facebook.com instagram.com linkedin.com twitter.com x.com youtube.com yelp.com healthgrades.com zocdoc.com
  linktr.ee bit.ly wixsite.com wordpress.com squarespace.com weebly.com godaddysites.com business.site`.split(
    /\s+/,
  ),
);

/**
 * Why a host is nobody's own: a public suffix such as `co.uk`, below which anyone can register, or the host of a mail
 * service or of a site with pages of many. Null for all others, also for names below these.
 */
export function sharedDomainKind(host: string): 'suffix' | 'shared' | null {
  if (shared.has(host)) return 'shared';
  const suffix = getPublicSuffix(host, { extractHostname: false, validateHostname: false });
  return suffix === host ? 'suffix' : null;
}
