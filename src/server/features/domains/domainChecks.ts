import pLimit from 'p-limit';
import type { DomainCheck } from '#shared/providers/domainCheck.ts';
import { domainCheckMessages } from '#server/features/domains/messages.ts';
import { providerOrigin } from '#shared/pages/site.ts';
import { type Config, publicConfig } from '#server/config/config.ts';
import { AppError } from '../../errors.ts';
import type { FormTokens } from '../submissions/formToken.ts';
import { checkDns } from './dnsCheck.ts';
import type { NameLookup } from './nameLookup.ts';
import { type CheckedProvider, checkPage } from './pageCheck.ts';

/** Each uses a few sockets for seconds. Staff check one domain after another. */
const atOnceMax = 4;
const waitingMax = 8;
const busySeconds = 5;

interface Deps {
  config: Config;
  names: NameLookup;
  formTokens: FormTokens;
}

/** Checks providers' domains, a few at a time in this process. */
export function createDomainChecks({ config, names, formTokens }: Deps) {
  const limit = pLimit(atOnceMax);

  async function checkNamed(provider: CheckedProvider): Promise<DomainCheck> {
    const { domain } = provider;
    const { dns, records, addresses } = await checkDns(domain, { names, config });
    if (dns.state !== 'ok')
      return { domain, dns, records, page: { state: 'unknown', text: domainCheckMessages.notYet } };
    const page = await checkPage(provider, {
      origin: providerOrigin(provider, publicConfig(config).mainOrigin),
      addresses,
      formTokens,
      allowPrivate: !config.production,
    });
    return { domain, dns, records, page };
  }

  return {
    /** Checks DNS, then the page. Throws TOO_MANY_REQUESTS while many others are being checked. */
    async check({
      domain,
      ...provider
    }: Omit<CheckedProvider, 'domain'> & { domain: string | null }): Promise<DomainCheck> {
      if (domain === null) return withoutDomain;
      if (limit.activeCount + limit.pendingCount >= atOnceMax + waitingMax)
        throw new AppError('TOO_MANY_REQUESTS', domainCheckMessages.busy, { retryAfterSeconds: busySeconds });
      return limit(checkNamed, { ...provider, domain });
    },
  };
}

export type DomainChecks = ReturnType<typeof createDomainChecks>;

const withoutDomain: DomainCheck = {
  domain: null,
  dns: { state: 'unknown', text: domainCheckMessages.none },
  page: { state: 'unknown', text: domainCheckMessages.noPage },
  records: [],
};
