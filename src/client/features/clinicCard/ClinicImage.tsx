import { type ReactNode, useState } from 'react';

interface ClinicImageProps {
  src: string | null;
  alt: string;
  className?: string;
  /** Shown when there is no image or it can't be loaded. */
  fallback?: ReactNode;
}

/** A clinic's picture or logo, from wherever its record points; a broken one leaves no broken mark. */
export function ClinicImage({ src, alt, className, fallback = null }: ClinicImageProps) {
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
