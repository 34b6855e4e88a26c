import { ButtonLink } from '#client/ui/Button.tsx';
import { MessagePage } from '#client/ui/MessagePage.tsx';
import { messages } from '#shared/brand/messages.ts';
import { paths } from '#shared/pages/paths.ts';

/** Any address the site doesn't know. */
export function NotFoundPage() {
  return (
    <MessagePage title={messages.notFound.title} text={messages.notFound.text}>
      <ButtonLink href={paths.home}>{messages.home}</ButtonLink>
    </MessagePage>
  );
}
