import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { token, media } from '#client/theme/tokens.ts';
import { Play } from '#client/ui/Icon.tsx';
import { Picture } from '#client/ui/Picture.tsx';
import type { ExplainerVideo } from '#shared/pages/brandContent.ts';
import { explainer } from '#shared/brand/recruitment.ts';
import { LineDrawing } from '#client/sections/kit/LineDrawing.tsx';

/**
 * A still image with a button. Nothing is loaded from the player's host before a click; then the player replaces the
 * still and gets the focus. It doesn't start by itself. Without scripts the still is a link to the video.
 */
export function VideoFacade({ video }: { video: ExplainerVideo }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Frame>
      {isOpen ? (
        <Player video={video} />
      ) : (
        <Still
          href={video.url}
          rel="noopener"
          onClick={(event) => {
            event.preventDefault();
            setIsOpen(true);
          }}
        >
          <Poster src={video.poster} alt="" />
          <Disc>
            <Play strokeWidth={1.5} />
          </Disc>
          <Caption>
            {explainer.play} {video.title}
          </Caption>
        </Still>
      )}
    </Frame>
  );
}

/** Players keep settings under their own origin. It is another one than ours, so the two together are harmless. */
const playerPowers = 'allow-scripts allow-same-origin allow-presentation allow-popups';

function Player({ video }: { video: ExplainerVideo }) {
  const ref = useRef<HTMLIFrameElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <iframe
      ref={ref}
      src={video.url}
      title={video.title}
      sandbox={playerPowers}
      allow="encrypted-media; fullscreen; picture-in-picture"
      referrerPolicy="strict-origin-when-cross-origin"
    />
  );
}

const Frame = styled.div`
  position: relative;
  overflow: hidden;
  aspect-ratio: 16 / 9;
  border-radius: ${token.radius};
  background: ${token.ink};

  & > iframe {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    border: 0;
  }
`;

const Still = styled.a`
  position: absolute;
  inset: 0;
  display: grid;
  place-content: center;
  justify-items: center;
  gap: 1rem;
  padding: 1rem;
  color: #ffffff;
  text-align: center;
  text-decoration: none;

  &:focus-visible {
    border-radius: ${token.radius};
    outline: 2px solid #ffffff;
    outline-offset: -6px;
  }
`;

const Poster = styled(Picture)`
  position: absolute;
  inset: 0;
  inline-size: 100%;
  block-size: 100%;
  object-fit: cover;
  opacity: 0.6;
`;

const Disc = styled.span`
  position: relative;
  display: grid;
  place-items: center;
  inline-size: 5rem;
  aspect-ratio: 1;
  border-radius: ${token.pill};
  background: #ffffff;
  color: ${token.primary};

  & > svg {
    inline-size: 2rem;
    block-size: 2rem;
    margin-inline-start: 0.25rem;
  }
`;

const Caption = styled.span`
  position: relative;
  font-weight: 600;
  line-height: 1.4;
  text-wrap: balance;
`;

/** Drawings of the four parts of the protocol. */
export function ProtocolParts() {
  return (
    <Parts>
      {explainer.parts.map(({ key, title, drawing }) => (
        <li key={key}>
          <LineDrawing viewBox="0 0 144 128">
            {drawing.map(({ tone, path }) => (
              <path key={path} className={tone} d={path} />
            ))}
          </LineDrawing>
          <span>{title}</span>
        </li>
      ))}
    </Parts>
  );
}

const Parts = styled.ul`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 0.75rem;

  ${media.tablet} {
    gap: 1rem;
  }

  & > li {
    display: grid;
    justify-items: center;
    gap: 0.75rem;
    padding: 1.25rem 0.75rem 1.5rem;
    border-radius: ${token.radius};
    border: 1px solid ${token.line};
    color: ${token.ink};
    font-weight: 600;
    line-height: 1.3;
    text-align: center;
  }

  & svg {
    inline-size: min(100%, 8.5rem);
  }
`;
