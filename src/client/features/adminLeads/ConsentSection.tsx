import { instantText } from '#client/features/admin/times.ts';
import type { LeadDetail } from '#shared/adminLeads.ts';
import { leadDetailWords as words } from '#shared/adminLeadWords.ts';
import { Facts } from './Facts.tsx';

/** What the person agreed to, as the evidence has it. */
export function ConsentSection({ consent }: { consent: LeadDetail['consent'] }) {
  if (consent === null) return <Facts title={words.consent}>{words.noConsent}</Facts>;
  return (
    <Facts
      title={words.consent}
      facts={[
        [words.consentText, consent.text === '' ? null : <q>{consent.text}</q>],
        [words.version, consent.version],
        [words.agreed, instantText(consent.at)],
        [words.address, consent.ip],
        [words.userAgent, consent.userAgent],
        [words.page, consent.page],
        [words.host, consent.host],
        [words.seal, consent.isSealed ? words.sealed : words.unsealed],
      ]}
    />
  );
}
