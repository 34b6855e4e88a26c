import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { brand } from '#shared/brand/brand.ts';
import type { LegalBlock, LegalSection, LegalText } from '#shared/pages/legalText.ts';
import type { SiteContacts } from '#shared/pages/site.ts';
import type { Boot, PolicyKey } from '#shared/pages/boot.ts';
import { privacyPolicy } from '#shared/brand/legal/privacy.ts';
import { refundPolicy } from '#shared/brand/legal/refunds.ts';
import { termsAndConditions } from '#shared/brand/legal/terms.ts';

interface DocumentShape {
  /** Of the sections. */
  headingLevel: 2 | 3;
  /** Gives the sections their ids: for the page, not for a modal that may lie over it. */
  anchors: boolean;
}

/** A legal document's intro and sections. */
export function LegalBody({ text, ...shape }: { text: LegalText } & DocumentShape) {
  return (
    <Prose>
      <p>{text.intro}</p>
      {text.sections.map((section) => (
        <Section key={section.id} section={section} {...shape} />
      ))}
    </Prose>
  );
}

function Section({ section, headingLevel, anchors }: { section: LegalSection } & DocumentShape) {
  return (
    <section id={anchors ? section.id : undefined}>
      <Heading as={`h${headingLevel}`}>{section.heading}</Heading>
      <Blocks blocks={section.blocks} />
      {section.parts?.map((part) => (
        <section key={part.id} id={anchors ? part.id : undefined}>
          <PartHeading as={`h${headingLevel + 1}`}>{part.heading}</PartHeading>
          <Blocks blocks={part.blocks} />
        </section>
      ))}
    </section>
  );
}

function Blocks({ blocks }: { blocks: readonly LegalBlock[] }) {
  return blocks.map((block) => {
    if (typeof block === 'string') return <p key={block}>{block}</p>;
    if ('contacts' in block) return <Contacts key="contacts" contacts={block.contacts} />;
    return (
      <List key={block.items[0]}>
        {block.items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </List>
    );
  });
}

function Contacts({ contacts }: { contacts: SiteContacts }) {
  return (
    <Address>
      <strong>{brand.plainName}</strong>
      <span>{contacts.postalAddress}</span>
      <a href={`mailto:${contacts.email}`}>{contacts.email}</a>
      <a href={contacts.phoneHref}>{contacts.phone}</a>
    </Address>
  );
}

const Prose = styled.div`
  max-inline-size: ${token.measure};

  & p,
  & li {
    text-wrap: pretty;
  }

  & p + p,
  & ul + p,
  & p + address {
    margin-block-start: 1rem;
  }
`;

const PartHeading = styled.h3`
  margin-block: 2rem 0.75rem;
  font-size: ${token.textLarge};

  @media print {
    break-after: avoid;
  }
`;

const Heading = styled(PartHeading)`
  margin-block-start: 2.5rem;
  font-size: ${token.titleSmall};
`;

const List = styled.ul`
  display: grid;
  gap: 0.5rem;
  margin-block-start: 0.75rem;
  padding-inline-start: 1.25rem;
  list-style: disc;

  & li::marker {
    color: var(--surface-accent);
  }
`;

const Address = styled.address`
  display: grid;
  justify-items: start;
  padding-inline-start: 1.25rem;
  border-inline-start: 2px solid ${token.line};
  font-style: normal;

  & a {
    padding-block: 0.25rem;

    ${media.touch} {
      padding-block: 0.625rem;
    }
  }
`;

/** The document of a policy, filled with this site's contacts and the server's date. */
export function policyText(policy: PolicyKey, { site, today }: Pick<Boot, 'site' | 'today'>): LegalText {
  if (policy === 'privacy') return privacyPolicy(site.contacts);
  return policy === 'terms' ? termsAndConditions(site.contacts) : refundPolicy(site.contacts, today);
}
