import { ButtonLink } from '#client/ui/Button.tsx';
import { MessagePage } from '#client/ui/MessagePage.tsx';
import { providerFormAnchor } from '#shared/brand/calls.ts';
import { messages } from '#shared/brand/messages.ts';
import { paths } from '#shared/pages/paths.ts';

const copy = messages.providerNotFound;

/** `?providerId=` names no active provider. */
export function ProviderNotFoundPage() {
  return (
    <MessagePage title={copy.title} text={copy.text}>
      <ButtonLink href={`${paths.home}#${providerFormAnchor}`}>{copy.findProvider}</ButtonLink>
      <ButtonLink href={paths.home} variant="secondary">
        {messages.home}
      </ButtonLink>
    </MessagePage>
  );
}
