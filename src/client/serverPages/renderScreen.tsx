import type { ReactElement, ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { ServerStyleSheet, styled } from 'styled-components';
import { ProviderHome } from '#client/sections/siteChrome/SiteLogo.tsx';
import { Wordmark } from '#client/sections/siteChrome/Wordmark.tsx';
import { GlobalStyle } from '#client/theme/GlobalStyle.ts';
import { token } from '#client/theme/tokens.ts';
import { Container } from '#client/ui/Section.tsx';
import { chrome } from '#shared/brand/chrome.ts';
import { signInLinkCopy } from '#shared/admin/signInLinks.ts';
import { outcome } from '#shared/brand/outcome.ts';
import { withdraw } from '#shared/brand/withdraw.ts';
import { paths } from '#shared/pages/paths.ts';
import type {
  DrawnScreen,
  PlainScreenName,
  PlainScreenProps,
  PlainScreenTenant,
} from '#shared/pages/plainScreen.ts';
import { OutcomeScreen, SignInScreen, WithdrawScreen } from './linkScreens.tsx';

type Screens = {
  [Name in PlainScreenName]: (props: PlainScreenProps[Name]) => { title: string; element: ReactElement };
};

const screens: Screens = {
  outcome: (props) => ({ title: outcome.windowTitle, element: <OutcomeScreen {...props} /> }),
  signIn: (props) => ({ title: signInLinkCopy.windowTitle, element: <SignInScreen {...props} /> }),
  withdraw: (props) => ({ title: withdraw.windowTitle, element: <WithdrawScreen {...props} /> }),
};

/** Renders a screen in the brand's look, with the logo or name of the host's provider. It needs no script. */
export function renderScreen<Name extends PlainScreenName>(
  name: Name,
  props: PlainScreenProps[Name],
  tenant: PlainScreenTenant,
): DrawnScreen {
  const { title, element } = screens[name](props);
  const sheet = new ServerStyleSheet();
  try {
    const html = renderToString(sheet.collectStyles(<PlainFrame tenant={tenant}>{element}</PlainFrame>));
    return { title, html, css: sheet.getStyleTags().replaceAll(/<\/?style[^>]*>/g, '') };
  } finally {
    sheet.seal();
  }
}

/** The brand's mark or the provider's above, and the link to the privacy policy below. */
function PlainFrame({ tenant, children }: { tenant: PlainScreenTenant; children: ReactNode }) {
  return (
    <>
      <GlobalStyle />
      <Bar>
        <Container>
          {tenant === null ? (
            <Home href={paths.home}>
              <Wordmark />
            </Home>
          ) : (
            <ProviderHome provider={tenant} href={paths.home} />
          )}
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
