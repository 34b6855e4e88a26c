import { ButtonLink } from '#client/ui/Button.tsx';
import { MessagePage } from '#client/ui/MessagePage.tsx';
import { paths } from '#shared/paths.ts';

/** `?providerId=` names no active clinic. */
export function ProviderNotFoundPage() {
  return (
    <MessagePage
      title="Provider not found"
      text="This provider is not, or no longer, listed with us. Leave your ZIP code and we will look for one near you."
    >
      <ButtonLink href={`${paths.home}#provider-form`}>Find a Provider</ButtonLink>
      <ButtonLink href={paths.home} variant="secondary">
        Go to the home page
      </ButtonLink>
    </MessagePage>
  );
}
