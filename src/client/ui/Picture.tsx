import { type ReactNode, useState } from 'react';
import { css, styled } from 'styled-components';
import { token } from '../theme/tokens.ts';

interface PictureProps {
  src: string | null;
  alt: string;
  className?: string;
  loading?: 'lazy' | undefined;
  /** Shown if there is no image or it fails to load. */
  fallback?: ReactNode;
}

/** An image that may be missing or fail to load. Then its fallback is shown instead of a broken image. */
export function Picture({ src, alt, className, loading, fallback = null }: PictureProps) {
  const [isBroken, setIsBroken] = useState(false);
  if (src === null || isBroken) return fallback;
  return (
    <img
      // An image that failed before hydration fires no more events. A valid drawing may have no natural width.
      ref={(image) => {
        if (image?.complete === true && image.naturalWidth === 0)
          image.decode().catch(() => setIsBroken(true));
      }}
      className={className}
      src={src}
      alt={alt}
      loading={loading}
      onError={() => setIsBroken(true)}
    />
  );
}

type PortraitSize = 'regular' | 'large';

interface PortraitProps {
  src: string | null;
  /** Shown in place of a missing image. */
  initial: string;
  size?: PortraitSize;
}

/** The square picture of a person, or their initial. */
export function Portrait({ src, initial, size = 'regular' }: PortraitProps) {
  return (
    <Photo
      src={src}
      alt=""
      $size={size}
      fallback={
        <Initial $size={size} aria-hidden="true">
          {initial}
        </Initial>
      }
    />
  );
}

const portraitSizes: Record<PortraitSize, ReturnType<typeof css>> = {
  regular: css`
    inline-size: 3.25rem;
    block-size: 3.25rem;
    font-size: ${token.titleSmall};
  `,
  large: css`
    inline-size: 5rem;
    block-size: 5rem;
    font-size: 2.25rem;
    line-height: 1;
  `,
};

const Photo = styled(Picture)<{ $size: PortraitSize }>`
  ${({ $size }) => portraitSizes[$size]}
  border-radius: ${token.radius};
  background: ${token.tint};
  object-fit: cover;
`;

const Initial = styled.span<{ $size: PortraitSize }>`
  ${({ $size }) => portraitSizes[$size]}
  display: grid;
  place-items: center;
  border-radius: ${token.radius};
  border: 1px solid ${token.line};
  color: ${token.ink};
  font-family: ${token.serif};
`;
