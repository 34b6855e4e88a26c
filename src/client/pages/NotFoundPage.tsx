import { useBoot } from '#client/api/tenant.tsx';
import { ButtonLink } from '#client/ui/Button.tsx';
import { MessagePage } from '#client/ui/MessagePage.tsx';
import { messages } from '#shared/brand/messages.ts';
import { paths, providerFormAnchor } from '#shared/pages/paths.ts';

/** An address that the site does not have, or a `?providerId=` that names no active provider. */
export function NotFoundPage() {
  return useBoot().page.kind === 'providerNotFound' ? <MissingProvider /> : <MissingPage />;
}

function MissingPage() {
  const { title, text } = messages.notFound;
  return (
    <MessagePage title={title} text={text}>
      <ButtonLink href={paths.home}>{messages.home}</ButtonLink>
    </MessagePage>
  );
}

function MissingProvider() {
  const { title, text, findProvider } = messages.providerNotFound;
  return (
    <MessagePage title={title} text={text}>
      <ButtonLink href={`${paths.home}#${providerFormAnchor}`}>{findProvider}</ButtonLink>
      <ButtonLink href={paths.home} variant="secondary">
        {messages.home}
      </ButtonLink>
    </MessagePage>
  );
}
