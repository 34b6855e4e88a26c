import { instantText } from '#client/admin/kit/times.ts';
import type { LeadDetail } from '#shared/admin/adminLeads.ts';
import { leadDetailCopy as copy, leadCopy, quarantineReasonName } from '#shared/admin/leadCopy.ts';
import { phoneE164 } from '#shared/leads/phone.ts';
import { CrmBadge } from '#client/admin/kit/CrmBadge.tsx';
import { Fact, FactList, Facts } from '#client/admin/kit/Facts.tsx';

/** How to reach the person, and when the lead was sent. */
export function ContactSection({ detail: { lead, crmReason } }: { detail: LeadDetail }) {
  return (
    <Facts title={copy.contact}>
      <FactList>
        <Fact name={copy.title}>#{lead.id}</Fact>
        <Fact name={copy.email}>
          <a href={`mailto:${lead.email}`}>{lead.email}</a>
        </Fact>
        <Fact name={copy.phone}>
          <a href={`tel:${phoneE164(lead.phone) ?? lead.phone}`}>{lead.phone}</a>
        </Fact>
        <Fact name={copy.zip}>{lead.zip_code}</Fact>
        <Fact name={copy.sent}>{instantText(lead.created_at)}</Fact>
        <Fact name={leadCopy.columns.crm}>
          <CrmBadge status={lead.crm_sync_status} />
          {crmReason === null ? null : <div>{crmReason}</div>}
        </Fact>
        <Fact name={copy.quarantine}>
          {lead.quarantineReason === null ? null : quarantineReasonName(lead.quarantineReason)}
        </Fact>
      </FactList>
    </Facts>
  );
}
