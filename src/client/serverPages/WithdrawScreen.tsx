import { Button, ButtonLink } from '#client/ui/Button.tsx';
import { messages } from '#shared/brand/messages.ts';
import { withdraw } from '#shared/brand/withdraw.ts';
import { paths } from '#shared/pages/paths.ts';
import type { PlainScreenProps } from '#shared/pages/plainScreen.ts';
import { MessagePage } from '#client/ui/MessagePage.tsx';

/** Asks before anything is withdrawn, and says what came of it. The form posts to the address it stands at. */
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
