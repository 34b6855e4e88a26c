import { toPlainText } from '@react-email/render';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { mail } from '#shared/brand/mail.ts';
import type { DrawnMail, MailName, MailProps } from '#shared/mail/mail.ts';
import { ClinicLead, clinicLeadSubject } from './ProviderLead.tsx';
import { LeadErased } from './LeadErased.tsx';
import { LeadNoClinic } from './LeadNoProvider.tsx';
import { LeadWelcome } from './LeadWelcome.tsx';
import { LeadWithdrawn } from './LeadWithdrawn.tsx';

type Templates = {
  [Name in MailName]: (props: MailProps[Name]) => { subject: string; element: ReactElement };
};

const templates: Templates = {
  leadWelcome: (props) => ({ subject: mail.welcome.subject, element: <LeadWelcome {...props} /> }),
  leadNoClinic: (props) => ({ subject: mail.noClinic.subject, element: <LeadNoClinic {...props} /> }),
  clinicLead: (props) => ({
    subject: clinicLeadSubject(props),
    element: <ClinicLead {...props} />,
  }),
  leadWithdrawn: (props) => ({ subject: mail.withdrawn.subject, element: <LeadWithdrawn {...props} /> }),
  leadErased: (props) => ({ subject: mail.erased.subject(props.leadId), element: <LeadErased {...props} /> }),
};

/** A message drawn as HTML and as text. What people typed stays text in both; the subject is one line whoever reads it. */
export function drawMail<Name extends MailName>(name: Name, props: MailProps[Name]): DrawnMail {
  const { subject, element } = templates[name](props);
  const html = `<!doctype html>${renderToStaticMarkup(element)}`;
  return { subject, html, text: toPlainText(html) };
}
