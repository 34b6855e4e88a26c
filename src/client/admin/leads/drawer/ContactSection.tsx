import { instantText } from '#client/admin/kit/times.ts';
import type { LeadDetail } from '#shared/admin/adminLeads.ts';
import { leadDetailWords as words, leadWords, quarantineReasonName } from '#shared/admin/leadCopy.ts';
import { phoneE164 } from '#shared/leads/phone.ts';
import { CrmBadge } from '../CrmBadge.tsx';
import { Fact, FactList, Facts } from '#client/admin/kit/Facts.tsx';

/** How to reach the person, and when they wrote. */
export function ContactSection({ detail: { lead, crmReason } }: { detail: LeadDetail }) {
  return (
    <Facts title={words.contact}>
      <FactList>
        <Fact name={words.title}>#{lead.id}</Fact>
        <Fact name={words.email}>
          <a href={`mailto:${lead.email}`}>{lead.email}</a>
        </Fact>
        <Fact name={words.phone}>
          <a href={`tel:${phoneE164(lead.phone) ?? lead.phone}`}>{lead.phone}</a>
        </Fact>
        <Fact name={words.zip}>{lead.zip_code}</Fact>
        <Fact name={words.sent}>{instantText(lead.created_at)}</Fact>
        <Fact name={leadWords.columns.crm}>
          <CrmBadge status={lead.crm_sync_status} />
          {crmReason === null ? null : <div>{crmReason}</div>}
        </Fact>
        <Fact name={words.quarantine}>
          {lead.quarantineReason === null ? null : quarantineReasonName(lead.quarantineReason)}
        </Fact>
      </FactList>
    </Facts>
  );
}
