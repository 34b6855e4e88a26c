import { type ReactNode, useState } from 'react';

interface PictureProps {
  src: string | null;
  alt: string;
  className?: string;
  /** Shown when there is no image or it can't be loaded. */
  fallback?: ReactNode;
}

/** An image that may be missing or fail to load: then its fallback is shown, never a broken mark. */
export function Picture({ src, alt, className, fallback = null }: PictureProps) {
  const [isBroken, setIsBroken] = useState(false);
  if (src === null || isBroken) return fallback;
  return (
    <img
      // One that failed before the page came alive fires no event any more; a drawing may have no natural width and be sound.
      ref={(image) => {
        if (image?.complete === true && image.naturalWidth === 0)
          image.decode().catch(() => setIsBroken(true));
      }}
      className={className}
      src={src}
      alt={alt}
      onError={() => setIsBroken(true)}
    />
  );
}
