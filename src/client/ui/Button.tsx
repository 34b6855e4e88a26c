import type { ComponentProps } from 'react';
import { css, styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';

type ButtonVariant = 'primary' | 'secondary' | 'quiet';
/** `small` is for dense screens: 32 px, and 44 px for fingers. */
type ButtonSize = 'small' | 'regular' | 'large';

interface Look {
  variant?: ButtonVariant;
  size?: ButtonSize;
}

export type ButtonProps = Look & ComponentProps<'button'>;
export type ButtonLinkProps = Look & ComponentProps<'a'>;

/** A pill of at least 44 px, unless it is small. Its colors follow its background (Section's tone). */
export function Button({ variant = 'primary', size = 'regular', type = 'button', ...rest }: ButtonProps) {
  return <NativeButton type={type} $variant={variant} $size={size} {...rest} />;
}

/** A link that looks like a button; always a real `href`. */
export function ButtonLink({ variant = 'primary', size = 'regular', ...rest }: ButtonLinkProps) {
  return <NativeLink $variant={variant} $size={size} {...rest} />;
}

const sizes: Record<ButtonSize, { block: string; inline: string; text: string }> = {
  small: { block: '2rem', inline: '0.75rem', text: '0.875rem' },
  regular: { block: '2.75rem', inline: '1.375rem', text: token.text },
  large: { block: '3.25rem', inline: '1.75rem', text: token.text },
};

const unfilled = css`
  background: transparent;

  &[aria-disabled='true'] {
    color: var(--surface-muted);
  }

  &:hover:not(:disabled) {
    background: color-mix(in srgb, currentcolor 8%, transparent);
  }
`;

const variants: Record<ButtonVariant, ReturnType<typeof css<{ $size: ButtonSize }>>> = {
  primary: css`
    background: var(--action);
    color: var(--action-text);

    &:hover:not(:disabled) {
      background: var(--action-hover);
    }
  `,
  secondary: css`
    ${unfilled}
    border-color: currentcolor;
    color: var(--surface-link);
  `,
  quiet: css<{ $size: ButtonSize }>`
    ${unfilled}
    color: var(--surface-link);
    padding-inline: ${({ $size }) => ($size === 'small' ? sizes.small.inline : '1rem')};
  `,
};

const buttonLook = css<{ $variant: ButtonVariant; $size: ButtonSize }>`
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: 0.5rem;
  min-block-size: ${({ $size }) => sizes[$size].block};

  ${media.touch} {
    min-block-size: max(2.75rem, ${({ $size }) => sizes[$size].block});
  }

  padding: ${({ $size }) => ($size === 'small' ? '0.25rem' : '0.5rem')} ${({ $size }) => sizes[$size].inline};
  border: 1px solid transparent;
  border-radius: ${token.pill};
  font: inherit;
  font-size: ${({ $size }) => sizes[$size].text};
  font-weight: 600;
  line-height: 1.2;
  text-align: center;
  text-wrap: balance;
  text-decoration: none;
  cursor: pointer;
  transition:
    background-color 0.2s,
    color 0.2s;

  &:disabled {
    cursor: not-allowed;
    opacity: 0.65;
  }

  & > svg {
    flex: none;
    inline-size: 1.125em;
    block-size: 1.125em;
  }

  ${({ $variant }) => variants[$variant]}
`;

const NativeButton = styled.button<{ $variant: ButtonVariant; $size: ButtonSize }>`
  ${buttonLook}
`;

const NativeLink = styled.a<{ $variant: ButtonVariant; $size: ButtonSize }>`
  ${buttonLook}
`;

/** A round button of 44 px with only an icon; it needs an `aria-label`. */
export const IconButton = styled.button`
  display: grid;
  place-items: center;
  flex: none;
  inline-size: 2.75rem;
  block-size: 2.75rem;
  border: 0;
  border-radius: ${token.pill};
  background: none;
  color: var(--surface-link);
  cursor: pointer;

  &:hover {
    background: ${token.tint};
  }
`;
