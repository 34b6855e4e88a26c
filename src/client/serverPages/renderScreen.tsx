import { fontFaces } from '#client/theme/fonts.ts';
import { styleTagEnd } from '#shared/pages/styleTags.ts';
import type { ReactElement, ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { ServerStyleSheet, styled } from 'styled-components';
import { ProviderHome, Wordmark } from '#client/sections/siteChrome/SiteLogo.tsx';
import { GlobalStyle } from '#client/theme/GlobalStyle.ts';
import { token, media } from '#client/theme/tokens.ts';
import { Container } from '#client/ui/Section.tsx';
import { chrome } from '#shared/brand/chrome.ts';
import { passwordHint, passwordLengthMax, passwordLengthMin } from '#shared/admin/access.ts';
import { signInLinkCopy } from '#shared/admin/signInLinks.ts';
import { weeklyEmailCopy } from '#shared/admin/summaryCopy.ts';
import { confirmAddress } from '#shared/brand/application.ts';
import { outcome, outcome as copy } from '#shared/brand/outcome.ts';
import { withdraw } from '#shared/brand/withdraw.ts';
import { paths } from '#shared/pages/paths.ts';
import type {
  DrawnScreen,
  PlainScreenName,
  PlainScreenProps,
  PlainScreenTenant,
} from '#shared/pages/plainScreen.ts';
import { Button, ButtonLink } from '#client/ui/Button.tsx';
import { Field } from '#client/ui/Field.tsx';
import { Check } from '#client/ui/Icon.tsx';
import { MessagePage } from '#client/ui/MessagePage.tsx';
import { messages } from '#shared/brand/messages.ts';
import { leadOutcomeNames, leadOutcomes } from '#shared/leads/leadOutcomes.ts';

type Screens = {
  [Name in PlainScreenName]: (props: PlainScreenProps[Name]) => { title: string; element: ReactElement };
};

const screens: Screens = {
  confirmAddress: (props) => ({
    title: confirmAddress.windowTitle,
    element: <AskScreen copy={confirmAddress} {...props} />,
  }),
  outcome: (props) => ({ title: outcome.windowTitle, element: <OutcomeScreen {...props} /> }),
  signIn: (props) => ({ title: signInLinkCopy.windowTitle, element: <SignInScreen {...props} /> }),
  weeklyEmail: (props) => ({
    title: weeklyEmailCopy.page.windowTitle,
    element: <AskScreen copy={weeklyEmailCopy.page} {...props} />,
  }),
  withdraw: (props) => ({ title: withdraw.windowTitle, element: <AskScreen copy={withdraw} {...props} /> }),
};

/** Renders a screen in the brand's look, with the logo or name of the host's provider. It needs no script. */
export function renderScreen<Name extends PlainScreenName>(
  name: Name,
  props: PlainScreenProps[Name],
  tenant: PlainScreenTenant,
): DrawnScreen {
  const { title, element } = screens[name](props);
  return { title, ...renderStyled(<PlainFrame tenant={tenant}>{element}</PlainFrame>) };
}

/**
 * The HTML of an element, and the text of the styles that it needs. The fonts have a tag of their own: scripts replace
 * the other one, and a browser takes a font that is declared again for a new one, which moves the text.
 */
export function renderStyled(element: ReactElement): { html: string; css: string } {
  const sheet = new ServerStyleSheet();
  try {
    const html = renderToString(sheet.collectStyles(element));
    const styles = sheet.getStyleTags().replaceAll(/<\/?style[^>]*>/g, '');
    const css = `${fontFaces}${styleTagEnd}${styles}`;
    // React compares attributes in development only.
    return { html: import.meta.env.DEV ? html : dropUnusedClasses(html, css), css };
  } finally {
    sheet.seal();
  }
}

/**
 * Leaves out class names that no style selects: those of components and icons, 5 KB of a page, 500 bytes compressed.
 */
export function dropUnusedClasses(html: string, css: string): string {
  const selected = new Set(css.match(/(?<=\.)[A-Za-z][\w-]+/g));
  return html.replaceAll(/ class="([^"]*)"/g, (_, classes: string) => {
    const used = classes.split(' ').filter((name) => selected.has(name));
    return used.length === 0 ? '' : ` class="${used.join(' ')}"`;
  });
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

interface Message {
  title: string;
  text: string;
}

type AskProps<State extends string> =
  { state: 'ask'; formToken: string } | { state: State; contactEmail: string };

interface AskScreenProps<State extends string> {
  copy: Readonly<Record<State, Message>> & { ask: Message & { action: string } };
}

/** Behind a lead's or a provider's link: asks before it does anything (posts to its own address), then shows the result. */
function AskScreen<State extends string>({ copy: texts, ...props }: AskScreenProps<State> & AskProps<State>) {
  if (!('contactEmail' in props)) {
    const { title, text, action } = texts.ask;
    return (
      <MessagePage title={title} text={text}>
        <form method="post">
          <input type="hidden" name="token" value={props.formToken} />
          <Button type="submit" size="large">
            {action}
          </Button>
        </form>
      </MessagePage>
    );
  }
  const { title, text }: Message = texts[props.state];
  return (
    <MessagePage title={title} text={text}>
      <ButtonLink href={paths.home}>{messages.home}</ButtonLink>
      <ButtonLink href={`mailto:${props.contactEmail}`} variant="secondary">
        {props.contactEmail}
      </ButtonLink>
    </MessagePage>
  );
}

/**
 * Behind a link of the staff: asks before anyone is signed in, or for the password of an account. The form posts to its
 * own address.
 */
function SignInScreen(props: PlainScreenProps['signIn']) {
  const { title, text } = signInLinkCopy[props.state];
  return (
    <MessagePage title={title} text={text}>
      {'formToken' in props ? (
        <Form method="post">
          <input type="hidden" name="token" value={props.formToken} />
          {props.state === 'ask' ? null : (
            <Fields>
              <Field
                label={signInLinkCopy.email}
                name="username"
                type="email"
                autoComplete="username"
                defaultValue={props.email}
                readOnly
              />
              <Field
                label={signInLinkCopy.password}
                name="password"
                type="password"
                autoComplete="new-password"
                required
                minLength={passwordLengthMin}
                maxLength={passwordLengthMax}
                hint={passwordHint}
                error={props.error ?? undefined}
              />
            </Fields>
          )}
          <Button type="submit" size="large">
            {signInLinkCopy[props.state].action}
          </Button>
        </Form>
      ) : (
        <ButtonLink href={paths.admin}>{signInLinkCopy.dashboard}</ButtonLink>
      )}
    </MessagePage>
  );
}

type OutcomeProps = PlainScreenProps['outcome'];

const withoutHelp = new Set<OutcomeProps['state']>(['returned', 'moved', 'gone']);

/** Behind a provider's link: asks for a lead's outcome, shows the recorded one, or says why none can be recorded. */
function OutcomeScreen(props: OutcomeProps) {
  if (props.state === 'open') return <Choice {...props} />;
  const { title, text } = copy[props.state];
  const { contactEmail } = props;
  return (
    <MessagePage title={title} text={text}>
      <ButtonLink href={paths.home}>{messages.home}</ButtonLink>
      {withoutHelp.has(props.state) ? null : (
        <ButtonLink href={`mailto:${contactEmail}`} variant="secondary">
          {contactEmail}
        </ButtonLink>
      )}
    </MessagePage>
  );
}

type OpenProps = Extract<OutcomeProps, { state: 'open' }>;

function buildHeading({ firstName, zipCode, noted, isPending, contradicts }: OpenProps) {
  if (contradicts) return copy.contradiction;
  if (isPending) return copy.pending;
  return noted === null
    ? { title: copy.ask.title(firstName, zipCode), text: copy.ask.text }
    : { title: copy.noted.title(leadOutcomeNames[noted]), text: copy.noted.text(firstName, zipCode) };
}

/** The five outcomes. The link's own is first until one is recorded, which is then marked. */
function Choice(props: OpenProps) {
  const { noted, proposed, formToken } = props;
  const { title, text } = buildHeading(props);
  const marked = noted ?? proposed;
  const choices = leadOutcomes.toSorted((a, b) => Number(b === proposed) - Number(a === proposed));
  return (
    <MessagePage title={title} text={text}>
      <Form method="post">
        <input type="hidden" name="token" value={formToken} />
        <Choices>
          {choices.map((choice) => (
            <Button
              key={choice}
              type="submit"
              name="outcome"
              value={choice}
              size="large"
              variant={choice === marked ? 'primary' : 'secondary'}
              aria-current={choice === noted ? 'true' : undefined}
            >
              {choice === noted ? <Check size={20} /> : null}
              {leadOutcomeNames[choice]}
            </Button>
          ))}
        </Choices>
        <p>{copy.wrongArea}</p>
      </Form>
    </MessagePage>
  );
}

const Form = styled.form`
  display: grid;
  gap: 1rem;
  inline-size: 100%;

  & > p {
    color: var(--surface-muted);
  }
`;

const Fields = styled.div`
  display: grid;
  gap: 1rem;
  max-inline-size: 26rem;
`;

/** On phones each button has the whole width. */
const Choices = styled.div`
  display: grid;
  gap: 0.75rem;

  ${media.tablet} {
    display: flex;
    flex-wrap: wrap;
  }
`;
