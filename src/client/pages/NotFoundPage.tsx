import { ButtonLink } from '#client/ui/Button.tsx';
import { MessagePage } from '#client/ui/MessagePage.tsx';
import { paths } from '#shared/paths.ts';

/** Any address the site doesn't know. */
export function NotFoundPage() {
  return (
    <MessagePage title="404 Page Not Found" text="Did you forget to add the page to the router?">
      <ButtonLink href={paths.home}>Go to the home page</ButtonLink>
    </MessagePage>
  );
}
