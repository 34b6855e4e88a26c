import { getPublicSuffix } from 'tldts-icann';

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

/**
 * Domains where many strangers have their mailbox. They may be leads on one day in any number, and none is a provider's
 * own domain. One that is missing here only has a lower limit of lead emails.
 */
const mailServices: ReadonlySet<string> = new Set(
  `gmail.com outlook.com hotmail.com live.com msn.com icloud.com me.com mac.com aol.com aim.com verizon.net
  yahoo.com ymail.com rocketmail.com myyahoo.com yahoo.ca yahoo.co.uk yahoo.com.mx yahoo.com.br yahoo.es yahoo.fr yahoo.de
  yahoo.in yahoo.co.in yahoo.com.ph yahoo.it yahoo.com.au
  comcast.net xfinity.com att.net sbcglobal.net bellsouth.net pacbell.net ameritech.net swbell.net flash.net prodigy.net
  cox.net charter.net spectrum.net roadrunner.com rr.com twc.com brighthouse.com earthlink.net mindspring.com netzero.net
  netzero.com juno.com optonline.net optimum.net suddenlink.net altice.net frontier.com frontiernet.net windstream.net
  centurylink.net centurytel.net embarqmail.com q.com lumen.com qwest.net tds.net mediacombb.net cableone.net sparklight.net
  wowway.com rcn.com hughes.net consolidated.net fairpoint.net bresnan.net gci.net hawaiiantel.net hawaii.rr.com
  tampabay.rr.com cfl.rr.com nc.rr.com satx.rr.com austin.rr.com neo.rr.com woh.rr.com wi.rr.com san.rr.com socal.rr.com
  proton.me protonmail.com pm.me fastmail.com fastmail.fm zoho.com zohomail.com mail.com email.com usa.com gmx.com gmx.us
  gmx.net gmx.de web.de t-online.de freenet.de hey.com duck.com tutanota.com tuta.com tuta.io hushmail.com mailbox.org
  posteo.de inbox.com lycos.com excite.com yandex.com yandex.ru mail.ru qq.com 163.com 126.com sina.com naver.com
  hanmail.net daum.net hotmail.co.uk hotmail.ca hotmail.fr hotmail.es hotmail.de hotmail.it live.ca live.co.uk live.com.mx
  live.fr outlook.es outlook.fr outlook.de btinternet.com bt.com sky.com virginmedia.com talktalk.net ntlworld.com
  blueyonder.co.uk tiscali.co.uk orange.fr wanadoo.fr free.fr sfr.fr laposte.net libero.it virgilio.it alice.it tin.it
  terra.com.br uol.com.br bol.com.br prodigy.net.mx telmex.com rogers.com shaw.ca telus.net sympatico.ca bell.net
  videotron.ca cogeco.ca bigpond.com optusnet.com.au iinet.net.au xtra.co.nz rediffmail.com relay.firefox.com
  privaterelay.appleid.com`.split(/\s+/),
);

/** Whether strangers share a domain, as customers of a mail service. */
export function isMailService(domain: string): boolean {
  return mailServices.has(domain);
}
