import { styled } from 'styled-components';
import { media } from '#client/theme/tokens.ts';
import { Button, ButtonLink } from '#client/ui/Button.tsx';
import { Check } from '#client/ui/Icon.tsx';
import { MessagePage } from '#client/ui/MessagePage.tsx';
import { messages } from '#shared/brand/messages.ts';
import { outcome as copy } from '#shared/brand/outcome.ts';
import { withdraw } from '#shared/brand/withdraw.ts';
import { leadOutcomeNames, leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import { paths } from '#shared/pages/paths.ts';
import type { PlainScreenProps } from '#shared/pages/plainScreen.ts';

/**
 * Behind a lead's link: asks before anything is withdrawn, then shows the result. The form posts to its own address.
 */
export function WithdrawScreen({ state, contactEmail }: PlainScreenProps['withdraw']) {
  const { title, text } = withdraw[state];
  return (
    <MessagePage title={title} text={text}>
      {state === 'ask' ? (
        <form method="post">
          <Button type="submit" size="large">
            {withdraw.ask.action}
          </Button>
        </form>
      ) : (
        <ButtonLink href={paths.home}>{messages.home}</ButtonLink>
      )}
      {state === 'ask' ? null : (
        <ButtonLink href={`mailto:${contactEmail}`} variant="secondary">
          {contactEmail}
        </ButtonLink>
      )}
    </MessagePage>
  );
}

type OutcomeProps = PlainScreenProps['outcome'];

const withoutHelp = new Set<OutcomeProps['state']>(['returned', 'moved', 'gone']);

/**
 * Behind a provider's link: asks for the outcome of a lead, shows the one recorded, or says why none can be recorded.
 */
export function OutcomeScreen(props: OutcomeProps) {
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

/**
 * The five outcomes: the link's own first until one is recorded, which is then marked. The form posts to its own
 * address.
 */
function Choice({ firstName, zipCode, noted, proposed }: Extract<OutcomeProps, { state: 'open' }>) {
  const title =
    noted === null ? copy.ask.title(firstName, zipCode) : copy.noted.title(leadOutcomeNames[noted]);
  const text = noted === null ? copy.ask.text : copy.noted.text(firstName, zipCode);
  const marked = noted ?? proposed;
  const choices = leadOutcomes.toSorted((a, b) => Number(b === proposed) - Number(a === proposed));
  return (
    <MessagePage title={title} text={text}>
      <Form method="post">
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

/** On phones each button has the whole width. */
const Choices = styled.div`
  display: grid;
  gap: 0.75rem;

  ${media.tablet} {
    display: flex;
    flex-wrap: wrap;
  }
`;
