import { toPlainText } from '@react-email/render';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { mail } from '#shared/brand/mail.ts';
import type { DrawnMail, MailName, MailProps } from '#shared/mail/mail.ts';
import { ProviderLead, providerLeadSubject } from './ProviderLead.tsx';
import { LeadErased } from './LeadErased.tsx';
import { LeadNoProvider } from './LeadNoProvider.tsx';
import { LeadWelcome } from './LeadWelcome.tsx';
import { LeadWithdrawn } from './LeadWithdrawn.tsx';

type Templates = {
  [Name in MailName]: (props: MailProps[Name]) => { subject: string; element: ReactElement };
};

const templates: Templates = {
  leadWelcome: (props) => ({ subject: mail.welcome.subject, element: <LeadWelcome {...props} /> }),
  leadNoProvider: (props) => ({ subject: mail.noProvider.subject, element: <LeadNoProvider {...props} /> }),
  providerLead: (props) => ({
    subject: providerLeadSubject(props),
    element: <ProviderLead {...props} />,
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
