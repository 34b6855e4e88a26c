import { styled } from 'styled-components';
import { LegalBody, policyText } from '#client/sections/legal/LegalBody.tsx';
import { useBoot, usePage } from '#client/api/tenant.tsx';
import { media, notPrinted, token } from '#client/theme/tokens.ts';
import { Container } from '#client/ui/Section.tsx';
import { messages } from '#shared/brand/messages.ts';

/** A legal document with its table of contents; prints only its text. */
export function PolicyPage() {
  const { policy } = usePage('policy');
  const text = policyText(policy, useBoot());
  return (
    <Layout>
      <Head>
        <h1>{text.title}</h1>
        <p>
          {messages.lastUpdated} {text.lastUpdated}
        </p>
      </Head>
      <Contents aria-labelledby="contents-title">
        <h2 id="contents-title">{messages.onThisPage}</h2>
        <ol>
          {text.sections.map(({ id, heading }) => (
            <li key={id}>
              <a href={`#${id}`}>{heading}</a>
            </li>
          ))}
        </ol>
      </Contents>
      <LegalBody text={text} headingLevel={2} anchors />
    </Layout>
  );
}

const Layout = styled(Container)`
  display: grid;
  gap: 2.5rem;
  padding-block: 3rem ${token.sectionSpace};

  ${media.desktop} {
    grid-template-columns: 17rem minmax(0, 1fr);
    column-gap: 5rem;
    padding-block-start: 5rem;
  }
`;

const Head = styled.div`
  padding-block-end: 2rem;
  border-block-end: 1px solid ${token.line};

  & h1 {
    font-size: clamp(${token.titleLarge}, 1.5rem + 2.5vw, 3rem);
    letter-spacing: -0.03em;
    line-height: 1.1;
  }

  & p {
    margin-block-start: 0.75rem;
    color: var(--surface-muted);
  }

  ${media.desktop} {
    grid-column: 1 / -1;
  }
`;

const Contents = styled.nav`
  font-size: 0.9375rem;

  & h2 {
    margin-block-end: 0.5rem;
    font-size: ${token.text};
    letter-spacing: 0;
  }

  & a {
    display: flex;
    align-items: center;
    min-block-size: 2.75rem;
    line-height: 1.35;
    text-decoration: none;
  }

  & a:hover {
    text-decoration: underline;
  }

  ${media.desktop} {
    position: sticky;
    inset-block-start: calc(var(--header-size) + 2rem);
    align-self: start;

    & a {
      min-block-size: 2.25rem;
      padding-block: 0.25rem;
    }
  }
  ${notPrinted}
`;
