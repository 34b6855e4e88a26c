import { ButtonLink } from '#client/ui/Button.tsx';
import { MessagePage } from '#client/ui/MessagePage.tsx';
import { providerFormAnchor } from '#shared/brand/calls.ts';
import { messages } from '#shared/brand/messages.ts';
import { paths } from '#shared/pages/paths.ts';

const words = messages.providerNotFound;

/** `?providerId=` names no active clinic. */
export function ProviderNotFoundPage() {
  return (
    <MessagePage title={words.title} text={words.text}>
      <ButtonLink href={`${paths.home}#${providerFormAnchor}`}>{words.findProvider}</ButtonLink>
      <ButtonLink href={paths.home} variant="secondary">
        {messages.home}
      </ButtonLink>
    </MessagePage>
  );
}
