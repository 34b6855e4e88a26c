import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { useCopy, useSite } from '#client/api/tenant.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Card, Section, NoWrap } from '#client/ui/Section.tsx';
import { SectionIntro } from '#client/sections/kit/TitledSection.tsx';
import { applicationBand } from '#shared/brand/recruitment.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';

const headingId = 'application-title';

/** The end of the page: the application on the violet band, and other contacts. */
export function ApplicationBand({ children }: { children: ReactNode }) {
  const { contacts } = useSite();
  const { lead, ...copy } = useCopy(applicationBand);
  return (
    <Section id={providerFormAnchor} tone="band" labelledBy={headingId}>
      <Columns>
        <Copy>
          <SectionIntro
            copy={{ ...copy, lead: lead === '' ? '' : <NoWrap text={lead} /> }}
            titleId={headingId}
          />
          <Other>
            <h3>{copy.callTitle}</h3>
            <p>{copy.call}</p>
            <a href={`mailto:${contacts.email}`}>{contacts.email}</a>
            <a href={contacts.phoneHref}>{contacts.phone}</a>
          </Other>
        </Copy>
        <Sheet>{children}</Sheet>
      </Columns>
    </Section>
  );
}

const Columns = styled.div`
  display: grid;
  gap: 2.5rem;

  ${media.tablet} {
    grid-template-columns: minmax(0, 5fr) minmax(0, 6fr);
    align-items: start;
  }

  ${media.desktop} {
    gap: 5rem;
  }
`;

/** Stays beside the long form on wide screens. */
const Copy = styled.div`
  ${media.tablet} {
    position: sticky;
    inset-block-start: calc(var(--header-size) + 2rem);
  }
`;

const Sheet = styled(Card)`
  ${media.desktop} {
    padding: 2.5rem;
  }
`;

const Other = styled.div`
  display: grid;
  justify-items: start;
  margin-block-start: 2rem;
  padding-block-start: 1.5rem;
  border-block-start: 1px solid var(--surface-line);

  & > h3 {
    font-size: ${token.textLarge};
  }

  & > p {
    margin-block: 0.25rem 0.5rem;
    color: var(--surface-muted);
  }

  & > a {
    padding-block: 0.625rem;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
`;
