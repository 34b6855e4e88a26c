import type { ComponentProps } from 'react';
import { css, styled } from 'styled-components';
import { token } from '../theme/tokens.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet';
export type ButtonSize = 'regular' | 'large';

interface Look {
  variant?: ButtonVariant;
  size?: ButtonSize;
}

export type ButtonProps = Look & ComponentProps<'button'>;
export type ButtonLinkProps = Look & ComponentProps<'a'>;

/** A pill of at least 44 px. Its colours follow the surface it stands on (Section's tone). */
export function Button({ variant = 'primary', size = 'regular', type = 'button', ...rest }: ButtonProps) {
  return <NativeButton type={type} $variant={variant} $size={size} {...rest} />;
}

/** A link that looks like a button; always a real `href`. */
export function ButtonLink({ variant = 'primary', size = 'regular', ...rest }: ButtonLinkProps) {
  return <NativeLink $variant={variant} $size={size} {...rest} />;
}

const variants: Record<ButtonVariant, ReturnType<typeof css>> = {
  primary: css`
    background: var(--action);
    color: var(--action-text);

    &:hover:not(:disabled) {
      background: var(--action-hover);
    }
  `,
  secondary: css`
    background: transparent;
    border-color: currentcolor;
    color: var(--surface-heading);

    &:hover:not(:disabled) {
      background: color-mix(in srgb, currentcolor 8%, transparent);
    }
  `,
  quiet: css`
    background: transparent;
    color: var(--surface-link);
    padding-inline: 1rem;

    &:hover:not(:disabled) {
      background: color-mix(in srgb, currentcolor 8%, transparent);
    }
  `,
};

const buttonLook = css<{ $variant: ButtonVariant; $size: ButtonSize }>`
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: 0.5rem;
  min-block-size: ${({ $size }) => ($size === 'large' ? '3.25rem' : '2.75rem')};
  padding: 0.5rem ${({ $size }) => ($size === 'large' ? '2rem' : '1.375rem')};
  border: 1.5px solid transparent;
  border-radius: ${token.pill};
  font: inherit;
  font-size: ${({ $size }) => ($size === 'large' ? token.textLarge : token.text)};
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

  &:focus-visible {
    outline: 3px solid var(--focus);
    outline-offset: 2px;
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
