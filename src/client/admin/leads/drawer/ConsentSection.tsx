import { instantText } from '#client/admin/kit/times.ts';
import type { LeadDetail } from '#shared/admin/adminLeads.ts';
import { leadDetailWords as words } from '#shared/admin/leadCopy.ts';
import { Fact, FactList, Facts } from '#client/admin/kit/Facts.tsx';

/** What the person agreed to, as the evidence has it. */
export function ConsentSection({ consent }: { consent: LeadDetail['consent'] }) {
  if (consent === null) return <Facts title={words.consent}>{words.noConsent}</Facts>;
  return (
    <Facts title={words.consent}>
      <FactList>
        <Fact name={words.consentText}>{consent.text === '' ? null : <q>{consent.text}</q>}</Fact>
        <Fact name={words.version}>{consent.version}</Fact>
        <Fact name={words.agreed}>{instantText(consent.at)}</Fact>
        <Fact name={words.address}>{consent.ip}</Fact>
        <Fact name={words.userAgent}>{consent.userAgent}</Fact>
        <Fact name={words.page}>{consent.page}</Fact>
        <Fact name={words.host}>{consent.host}</Fact>
        <Fact name={words.seal}>{consent.isSealed ? words.sealed : words.unsealed}</Fact>
      </FactList>
    </Facts>
  );
}
