import { instantText } from '#client/features/admin/times.ts';
import type { AdminLead } from '#shared/adminLeads.ts';
import { leadDetailWords as words, leadWords } from '#shared/adminLeadWords.ts';
import { phoneE164 } from '#shared/phone.ts';
import { CrmBadge } from './CrmBadge.tsx';
import { Facts } from './Facts.tsx';

/** How to reach the person, and when they wrote. */
export function ContactSection({ lead }: { lead: AdminLead }) {
  return (
    <Facts
      title={words.contact}
      facts={[
        [words.title, `#${lead.id}`],
        [words.email, <a href={`mailto:${lead.email}`}>{lead.email}</a>],
        [words.phone, <a href={`tel:${phoneE164(lead.phone) ?? lead.phone}`}>{lead.phone}</a>],
        [words.zip, lead.zip_code],
        [words.sent, instantText(lead.created_at)],
        [leadWords.columns.crm, <CrmBadge status={lead.crm_sync_status} />],
        [words.quarantine, lead.quarantineReason],
      ]}
    />
  );
}
