import { styled } from 'styled-components';
import { useSite } from '#client/api/tenant.tsx';
import { token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { ArrowUpRight } from '#client/ui/Icon.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import { success } from '#shared/brand/success.ts';

/** The way to the brand's starter kit. */
export function StarterKit({ text }: { text: string }) {
  const { starterKitUrl } = useSite();
  return (
    <KitBox aria-labelledby="kit-title">
      <SmallTitle as="h2" id="kit-title">
        {success.kit.title}
      </SmallTitle>
      <KitText>{text}</KitText>
      <ButtonLink href={starterKitUrl} variant="secondary">
        {success.kit.action}
        <ArrowUpRight />
      </ButtonLink>
    </KitBox>
  );
}

const KitBox = styled.section`
  align-self: start;
  padding-block-start: 2rem;
  border-block-start: 1px solid ${token.line};
`;

const KitText = styled.p`
  margin-block: 0.5rem 1.25rem;
`;
