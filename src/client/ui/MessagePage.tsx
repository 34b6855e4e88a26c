import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import { Container, DisplayTitle } from './Section.tsx';
import { Span } from './Span.tsx';

/** A page with one message and links. */
export function MessagePage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Layout>
      <Missing end={1} isEmpty />
      <PageTitle>{title}</PageTitle>
      <p>{text}</p>
      <Actions>{children}</Actions>
    </Layout>
  );
}

const Layout = styled(Container)`
  padding-block: ${token.sectionSpace};

  & > p {
    max-inline-size: ${token.measure};
    margin-block-start: 1.5rem;
    color: var(--surface-muted);
    font-size: ${token.textLarge};
  }
`;

/** Only the span: nothing is measured here. */
const Missing = styled(Span)`
  max-inline-size: 16rem;
  margin-block-end: 2rem;
`;

const PageTitle = styled(DisplayTitle)`
  max-inline-size: 10em;
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem;
  margin-block-start: 2.5rem;
`;
