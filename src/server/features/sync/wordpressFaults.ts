/** What a firewall's response has. Sites behind a proxy have its headers on every response. */
const firewalls: readonly { name: string; header?: [name: string, value: RegExp]; text?: RegExp }[] = [
  { name: 'Cloudflare', header: ['server', /cloudflare/i] },
  { name: 'Cloudflare', header: ['cf-ray', /./] },
  { name: 'Sucuri', header: ['x-sucuri-id', /./] },
  { name: 'Sucuri', header: ['server', /sucuri/i], text: /Sucuri WebSite Firewall/i },
  { name: 'Imperva', header: ['x-iinfo', /./], text: /Incapsula incident/i },
  { name: 'Akamai', header: ['server', /akamai/i] },
  { name: 'AWS WAF', header: ['x-amzn-waf-action', /./] },
  { name: 'DDoS-Guard', header: ['server', /ddos-guard/i] },
  { name: 'Wordfence', text: /wordfence/i },
  { name: 'NinjaFirewall', text: /ninjafirewall/i },
  { name: 'ModSecurity', header: ['server', /mod_security/i], text: /mod_security|Not Acceptable!/i },
  { name: 'All-In-One Security', text: /all[- ]in[- ]one (?:wp )?security/i },
  { name: 'Solid Security', text: /ithemes security|solid security/i },
  { name: 'Shield Security', text: /shield security/i },
  { name: 'CleanTalk', text: /cleantalk/i },
];
const textLengthMax = 20_000;

/** The firewall or security plugin that a response shows by its headers or its text; null if it shows none. */
export function getFirewall(headers: Headers, text = ''): string | null {
  const start = text.slice(0, textLengthMax);
  const found = firewalls.find(
    (firewall) =>
      (firewall.header !== undefined && firewall.header[1].test(headers.get(firewall.header[0]) ?? '')) ||
      firewall.text?.test(start) === true,
  );
  return found?.name ?? null;
}

const kinds = '((?:Fatal |Parse )?error|Warning|Notice|Deprecated|Strict Standards)';
/** PHP's messages, as it prints them: with HTML anywhere, or without it at the beginning. */
const phpNotices = [new RegExp(`^\\s*(?:PHP )?${kinds}: `, 'i'), new RegExp(`<b>${kinds}</b>\\s*:`, 'i')];

/** The kind of the PHP message in a response that should be JSON: 'Warning'; null if there is none. */
export function getPhpNotice(text: string): string | null {
  const found = phpNotices.map((pattern) => pattern.exec(text.replace(/^\ufeff/, ''))?.[1]);
  return found.find((kind) => kind !== undefined) ?? null;
}
