import { instantText } from '#client/admin/kit/times.ts';
import type { LeadDetail } from '#shared/admin/adminLeads.ts';
import { leadDetailCopy as copy } from '#shared/admin/leadCopy.ts';
import { Fact, FactList, Facts } from '#client/admin/kit/Facts.tsx';

/** What the person agreed to, as the evidence has it. */
export function ConsentSection({ consent }: { consent: LeadDetail['consent'] }) {
  if (consent === null) return <Facts title={copy.consent}>{copy.noConsent}</Facts>;
  return (
    <Facts title={copy.consent}>
      <FactList>
        <Fact name={copy.consentText}>{consent.text === '' ? null : <q>{consent.text}</q>}</Fact>
        <Fact name={copy.version}>{consent.version}</Fact>
        <Fact name={copy.agreed}>{instantText(consent.at)}</Fact>
        <Fact name={copy.address}>{consent.ip}</Fact>
        <Fact name={copy.userAgent}>{consent.userAgent}</Fact>
        <Fact name={copy.page}>{consent.page}</Fact>
        <Fact name={copy.host}>{consent.host}</Fact>
        <Fact name={copy.seal}>{consent.isSealed ? copy.sealed : copy.unsealed}</Fact>
      </FactList>
    </Facts>
  );
}
