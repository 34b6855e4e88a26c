import { styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';

/** Fills its frame and sets MapLibre's own controls and popups in the page's look. */
export const MapSheet = styled.div<{ $isHidden: boolean }>`
  /* Nobody sees it being built; a browser without a graphics card would copy every step of it to the screen. */
  visibility: ${({ $isHidden }) => ($isHidden ? 'hidden' : 'visible')};

  position: absolute;
  inset: 0;

  & .maplibregl-map {
    font: inherit;
  }

  & .maplibregl-ctrl-group {
    border-radius: ${token.radius};
    overflow: hidden;
  }

  & .maplibregl-ctrl-group button {
    inline-size: 2.75rem;
    block-size: 2.75rem;
  }

  & .maplibregl-ctrl-attrib {
    padding: 0.125rem 0.5rem;
    /* A place's name at the edge must not show through. */
    background: #ffffff;
    color: ${token.muted};
    font-size: 0.75rem;
    line-height: 1.5;
  }

  & .maplibregl-ctrl-attrib a {
    color: ${token.muted};
    text-decoration: underline;
  }

  /* Above the zoom buttons and the attribution. */
  & .maplibregl-popup {
    z-index: 3;
  }

  & .maplibregl-popup-content {
    padding: 0.75rem 2.25rem 0.75rem 0.75rem;
    border-radius: ${token.radius};
    box-shadow: ${token.shadow};
    color: ${token.foreground};
    font: inherit;
    font-size: 0.9375rem;
    line-height: 1.45;

    ${media.tablet} {
      padding: 1rem 2.5rem 1rem 1rem;
    }
  }

  & .maplibregl-popup-close-button {
    inset: 0.25rem 0.25rem auto auto;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    border-radius: ${token.pill};
    color: ${token.muted};
    font-size: 1.375rem;

    ${media.touch} {
      inset: 0;
      inset-inline-start: auto;
      inline-size: 2.75rem;
      block-size: 2.75rem;
    }
  }

  & .maplibregl-cooperative-gesture-screen {
    background: color-mix(in srgb, ${token.primary} 82%, transparent);
    font-size: 1.125rem;
    font-weight: 600;
    text-align: center;
  }

  & canvas:focus-visible {
    outline: 3px solid var(--focus);
    outline-offset: -3px;
  }
`;
