import { loopbackHosts, parseHost } from './parseHost.ts';
import { getPublicSuffix } from 'tldts-icann';

/** Why a text cannot be a provider's domain, for staff. */
const messages = {
  empty: 'The domain is empty.',
  malformed: 'The domain is not a host name, such as clinic.com.',
  address: (host: string) => `${host} is an IP address. A domain is a name, such as clinic.com.`,
  single: (host: string) => `${host} has no dot. A domain has at least two parts, such as clinic.com.`,
  underscore: (host: string) => `${host} has an underscore, which a website’s name can’t have.`,
  twiceWww: 'The domain begins with www. twice.',
  reserved: (host: string, ending: string) =>
    `${host} ends in .${ending}, which is reserved: no visitor could reach it.`,
  main: (host: string) => `${host} belongs to the main site.`,
  belowMain: (host: string, mainDomain: string) =>
    `${host} is part of ${mainDomain}, which belongs to the main site.`,
  suffix: (host: string) => `${host} is no domain of one owner: others register theirs below it.`,
  shared: (host: string) => `${host} belongs to a service that many use, not to a provider.`,
} as const;

/** `isShared`: an earlier version accepted such a domain, so a provider that has it keeps it. */
export type NormalizedDomain = { domain: string } | { refused: string; isShared?: true };

/**
 * Endings that are never public (RFC 6761 and 6762, IANA's special-use names, ICANN's `internal`). Names below
 * `localhost` are for development, `test` and `example` for trials: nobody can own one.
 */
const reservedEndings = new Set(['alt', 'arpa', 'internal', 'invalid', 'local', 'localdomain', 'onion']);

/**
 * A provider's domain as stored in `providers.domain` and looked up by requests: the host as parseHost returns it.
 * Drops scheme, port, path and `www.`, as people copy addresses. Refuses impossible hosts with a reason.
 */
export function normalizeDomain(text: string, mainDomains: readonly string[]): NormalizedDomain {
  const [, typed = ''] = /^(?:(?:https?:)?\/\/)?([^/?#]*)/i.exec(text.trim()) ?? [];
  if (typed === '') return { refused: messages.empty };
  // A loopback name is nobody's domain, in production as well.
  const match = parseHost(typed, { ...loopbackHosts, mainDomains });
  if (match.kind === 'invalid' && isNameWithUnderscore(typed))
    return { refused: messages.underscore(typed.toLowerCase()) };
  if (match.kind === 'invalid') return { refused: messages.malformed };
  if (match.kind === 'main') return { refused: messages.main(match.host) };
  const refused = findFault(match.host, mainDomains);
  if (refused !== null) return { refused };
  const kind = sharedDomainKind(match.host);
  return kind === null ? { domain: match.host } : { refused: messages[kind](match.host), isShared: true };
}

/** Whether the text would be a host if it had other characters in place of its underscores. */
function isNameWithUnderscore(typed: string): boolean {
  return typed.includes('_') && parseHost(typed.replaceAll('_', 'x'), loopbackHosts).kind !== 'invalid';
}

/** Why a well-formed host that is not a main domain is refused; null if it is accepted. */
function findFault(host: string, mainDomains: readonly string[]): string | null {
  // parseHost accepts digits and dots only as IPv4 addresses. An address parser would throw for every domain, which
  // slows down a large sync.
  if (host.startsWith('[') || /^[0-9.]+$/.test(host)) return messages.address(host);
  const ending = host.slice(host.lastIndexOf('.') + 1);
  if (ending === host) return messages.single(host);
  // A request for it would be looked up without its `www.`.
  if (host.startsWith('www.')) return messages.twiceWww;
  const parent = mainDomains.find((name) => name !== 'localhost' && host.endsWith(`.${name}`));
  if (parent !== undefined) return messages.belowMain(host, parent);
  return reservedEndings.has(ending) ? messages.reserved(host, ending) : null;
}

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
function sharedDomainKind(host: string): 'suffix' | 'shared' | null {
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
