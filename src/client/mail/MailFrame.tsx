import { Body, Container, Head, Html, Img, Link, Preview, Section, Text } from '@react-email/components';
import type { ReactNode } from 'react';
import { mail } from '#shared/brand/mail.ts';
import type { MailSite } from '#shared/mail/mail.ts';
import { mailLogoPath, mailLogoSize } from '#shared/shareImages/shareImage.ts';
import { darkRules, mailClass, mailStyle } from './mailStyle.ts';

interface MailFrameProps {
  site: MailSite;
  subject: string;
  /** The line that a list of messages shows beside the subject. */
  preview: string;
  /** Why one gets it. */
  why: string;
  children: ReactNode;
}

/**
 * The frame of every message: our logo, the reason for the message, and the sender with the postal address (CAN-SPAM).
 */
export function MailFrame({ site, subject, preview, why, children }: MailFrameProps) {
  return (
    <Html lang="en" dir="ltr">
      <Head>
        <title>{subject}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{darkRules}</style>
      </Head>
      <Body className={mailClass.ground} style={mailStyle.ground}>
        <Preview>{preview}</Preview>
        <Container style={mailStyle.container}>
          <Section style={mailStyle.band}>
            {/* Low priority, or React adds a preload tag to the head, which mail programs remove. */}
            <Img
              fetchPriority="low"
              src={`${site.origin}${mailLogoPath}`}
              alt={mail.logoAlt}
              width={mailLogoSize.width}
              height={mailLogoSize.height}
              style={mailStyle.logo}
            />
          </Section>
          <Section className={mailClass.card} style={mailStyle.card}>
            {children}
          </Section>
          <Section style={{ padding: '20px 24px 0' }}>
            <Muted>{why}</Muted>
            <Muted>
              {mail.footer.questions}{' '}
              <Link href={`mailto:${site.contactEmail}`} className={mailClass.link} style={mailStyle.link}>
                {site.contactEmail}
              </Link>
            </Muted>
            <Muted>{site.postalAddress}</Muted>
          </Section>
        </Container>
      </Body>
    </Html>
  );
}

export function Muted({ children }: { children: ReactNode }) {
  return (
    <Text className={mailClass.muted} style={mailStyle.muted}>
      {children}
    </Text>
  );
}
