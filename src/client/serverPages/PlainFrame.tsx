import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Wordmark } from '#client/sections/siteChrome/Wordmark.tsx';
import { GlobalStyle } from '#client/theme/GlobalStyle.ts';
import { token } from '#client/theme/tokens.ts';
import { Container } from '#client/ui/Section.tsx';
import { chrome } from '#shared/brand/chrome.ts';
import { paths } from '#shared/pages/paths.ts';

/** The brand's mark above, and the way to what it does with data below. */
export function PlainFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <GlobalStyle />
      <Bar>
        <Container>
          <Home href={paths.home}>
            <Wordmark />
          </Home>
        </Container>
      </Bar>
      <Main>{children}</Main>
      <Foot>
        <Container>
          <a href={paths.privacy}>{chrome.footer.healthData}</a>
        </Container>
      </Foot>
    </>
  );
}

const Bar = styled.header`
  padding-block: 0.875rem;
  border-block-end: 1px solid ${token.line};
`;

const Home = styled.a`
  display: inline-flex;
  align-items: center;
  min-block-size: 2.75rem;
  color: ${token.primary};

  & > svg {
    inline-size: auto;
    block-size: 2rem;
  }
`;

const Main = styled.main`
  min-block-size: 60dvh;
`;

const Foot = styled.footer`
  padding-block: 1.5rem;
  border-block-start: 1px solid ${token.line};
  font-size: 0.9375rem;

  & a {
    display: inline-flex;
    align-items: center;
    min-block-size: 2.75rem;
  }
`;
