import type { Boot, PolicyKey } from '#shared/pages/boot.ts';
import type { LegalText } from '#shared/pages/legalText.ts';
import { privacyPolicy } from '#shared/brand/legal/privacy.ts';
import { refundPolicy } from '#shared/brand/legal/refunds.ts';
import { termsAndConditions } from '#shared/brand/legal/terms.ts';

/** The document of a policy, filled with this site's contacts and the server's date. */
export function policyText(policy: PolicyKey, { site, today }: Pick<Boot, 'site' | 'today'>): LegalText {
  if (policy === 'privacy') return privacyPolicy(site.contacts);
  return policy === 'terms' ? termsAndConditions(site.contacts) : refundPolicy(site.contacts, today);
}
